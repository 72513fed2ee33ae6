//! Inside functions.

#[test]
fn types_of_a_function() {
    #[derive(cep::Event)]
    struct Local {
        a: u8,
    }
    #[derive(cep::Event)]
    pub struct PubLocal {
        a: u8,
    }
    #[derive(cep::Event)]
    enum Wrap {
        Local(Local),
    }
    cep::cep! {
        pattern P on Local = Local as l filter l.a == 1 within 1 events detect;
        pattern Q on Wrap = Local as l filter l.a == 1 within 1 events detect;
        pattern R on PubLocal = PubLocal as l filter l.a == 2 within 1 events detect;
    }
    assert!(P::new().push(&Local { a: 1 }));
    assert!(Q::new().push(&Wrap::Local(Local { a: 1 })));
    assert!(R::new().push(&PubLocal { a: 2 }));
}

#[test]
fn in_a_block_among_statements() {
    let x = 1;
    {
        #[derive(cep::Event)]
        struct L {
            a: i32,
        }
        const LIM: i32 = 3;
        cep::cep! { pattern P on L = L as l filter l.a > LIM within 1 events detect; }
        assert!(P::new().push(&L { a: x + 4 }));
    }
}

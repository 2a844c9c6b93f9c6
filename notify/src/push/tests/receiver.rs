//! A browser and its push service, from their side of the standards: what RFC 8291 seals is opened, and who
//! RFC 8292 says it is from is checked.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::Value;
use sha2::Sha256;

use super::curve;

/// A browser: its key, and the secret that it hands over with the public half.
pub(crate) struct Browser {
    secret: Vec<u8>,
    pub(crate) auth: Vec<u8>,
}

impl Browser {
    /// One that is told apart by a number.
    pub(crate) fn new(n: u8) -> Self {
        Self::of(&[n; 32], &[n; 16])
    }

    pub(crate) fn of(secret: &[u8], auth: &[u8]) -> Self {
        Self { secret: secret.to_vec(), auth: auth.to_vec() }
    }

    pub(crate) fn public(&self) -> Vec<u8> {
        curve::public(&self.secret)
    }

    pub(crate) fn open(&self, body: &[u8]) -> Vec<u8> {
        self.try_open(body).expect("what was sent is for this browser")
    }

    /// Opens what was sealed for it; none where it was not.
    pub(crate) fn try_open(&self, body: &[u8]) -> Option<Vec<u8>> {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert!(u32::from_be_bytes(size.try_into().unwrap()) >= 18 && body.len() <= 4096);
        let (sender, record) = rest[1..].split_at(usize::from(rest[0]));
        let shared = curve::agreed(&self.secret, sender);
        let both = mac(&self.auth, &[&shared]);
        let input = mac(&both, &[b"WebPush: info\0", &self.public(), sender, &[1]]);
        let pseudo = mac(salt, &[&input]);
        let key = mac(&pseudo, &[b"Content-Encoding: aes128gcm\0", &[1]]);
        let nonce = mac(&pseudo, &[b"Content-Encoding: nonce\0", &[1]]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
        let mut plain = record.to_vec();
        let n_bytes = key.open_in_place(nonce, Aad::empty(), &mut plain).ok()?.len();
        plain.truncate(n_bytes);
        while plain.pop_if(|last| *last == 0).is_some() {}
        assert_eq!(plain.pop(), Some(2), "the mark of the last record");
        Some(plain)
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Checks who sent a message, as a push service does; returns what the token claims and the sender's key.
pub(crate) fn vouched(authorization: &str) -> (Value, Vec<u8>) {
    let rest = authorization.strip_prefix("vapid ").unwrap();
    let part = |name: &str| {
        let found = rest.split(',').find_map(|part| part.trim().strip_prefix(name));
        found.unwrap_or_else(|| panic!("no {name} in {authorization}")).to_owned()
    };
    let (token, key) = (part("t="), URL_SAFE_NO_PAD.decode(part("k=")).unwrap());
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    let known = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &key);
    known.verify(signed.as_bytes(), &signature).unwrap();
    let (head, claims) = signed.split_once('.').unwrap();
    let read =
        |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
    assert_eq!(read(head)["alg"], "ES256");
    (read(claims), key)
}

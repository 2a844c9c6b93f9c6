//! Seals a message so that one browser reads it and its push service does not (RFC 8291, `aes128gcm`).

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// What services take at most, and what of it is ours: salt, size, key and its length, the end, the seal.
const BODY_BYTES_MAX: u32 = 4096;
const AROUND_BYTES: usize = 16 + 4 + 1 + 65 + 1 + 16;
/// The longest message.
pub(super) const MESSAGE_BYTES_MAX: usize = BODY_BYTES_MAX as usize - AROUND_BYTES;
/// Ends the last record.
const LAST: u8 = 2;

/// Seals a message for the browser with this key and this secret; none where the key is none.
pub(super) fn seal(message: &[u8], browser: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let public = own.compute_public_key().ok()?;
    let mut salt = [0; 16];
    random.fill(&mut salt).ok()?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, browser);
    let sealed = agree_ephemeral(own, &theirs, |shared| {
        Record { shared, browser, own: public.as_ref(), auth, salt }.write(message)
    });
    sealed.ok()?.ok()
}

/// Everything that a record is made of but the message.
struct Record<'a> {
    shared: &'a [u8],
    browser: &'a [u8],
    own: &'a [u8],
    auth: &'a [u8],
    salt: [u8; 16],
}

impl Record<'_> {
    fn write(&self, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let both = Salt::new(HKDF_SHA256, self.auth).extract(self.shared);
        let input: [u8; 32] = expanded(&both, &[b"WebPush: info\0", self.browser, self.own])?;
        let pseudo = Salt::new(HKDF_SHA256, &self.salt).extract(&input);
        let key: [u8; 16] = expanded(&pseudo, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = expanded(&pseudo, &[b"Content-Encoding: nonce\0"])?;
        let mut record = message.to_vec();
        record.push(LAST);
        // The key seals one record and is gone, so its nonce is used once.
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;
        let length = u8::try_from(self.own.len()).map_err(|_| Unspecified)?;
        let mut body = self.salt.to_vec();
        body.extend_from_slice(&BODY_BYTES_MAX.to_be_bytes());
        body.push(length);
        body.extend_from_slice(self.own);
        body.append(&mut record);
        Ok(body)
    }
}

struct Bytes(usize);

impl KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

fn expanded<const N: usize>(key: &Prk, info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut bytes = [0; N];
    key.expand(info, Bytes(N))?.fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;
    use crate::push::tests::receiver;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// RFC 8291, appendix A.
    const PLAINTEXT: &[u8] = b"When I grow up, I want to be a watermelon";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const RECEIVER_PRIVATE: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
    const RECEIVER_PUBLIC: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const SENDER_PUBLIC: &str =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    const SHARED: &str = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs";
    const SALT: &str = "DGv6ra1nlYgDCS1FRnbzlw";
    const BODY: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
        mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
        pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    #[test]
    fn what_is_sealed_is_what_the_standard_shows() {
        let record = Record {
            shared: &bytes(SHARED),
            browser: &bytes(RECEIVER_PUBLIC),
            own: &bytes(SENDER_PUBLIC),
            auth: &bytes(AUTH),
            salt: bytes(SALT).try_into().unwrap(),
        };
        assert_eq!(URL_SAFE_NO_PAD.encode(record.write(PLAINTEXT).unwrap()), BODY);
    }

    /// The browser's half in the tests is held to the same text before it is believed.
    #[test]
    fn the_browser_of_the_tests_opens_what_the_standard_shows() {
        let browser = receiver::Browser::of(&bytes(RECEIVER_PRIVATE), &bytes(AUTH));
        assert_eq!(browser.public(), bytes(RECEIVER_PUBLIC));
        assert_eq!(browser.open(&bytes(BODY)), PLAINTEXT);
    }

    #[test]
    fn a_browser_opens_what_is_sealed_for_it_and_nobody_else_does() {
        let (browser, other) = (receiver::Browser::new(1), receiver::Browser::new(2));
        let longest = vec![b'x'; MESSAGE_BYTES_MAX];
        for message in [&b""[..], b"hello", &longest] {
            let body = seal(message, &browser.public(), &browser.auth).unwrap();
            assert!(body.len() <= 4096, "{}", body.len());
            assert_eq!(browser.open(&body), message);
            assert!(other.try_open(&body).is_none());
            let mut forged = body.clone();
            *forged.last_mut().unwrap() ^= 1;
            assert!(browser.try_open(&forged).is_none());
            assert_ne!(
                seal(message, &browser.public(), &browser.auth).unwrap(),
                body,
                "never twice the same"
            );
        }
        let mut none = browser.public();
        none[1] ^= 1;
        assert!(seal(b"x", &none, &browser.auth).is_none(), "a point that is on no curve");
    }
}

//! When two texts look the same: a person who reads both could not say which is which.
//!
//! Not by their bytes, but as they are drawn: blanks at the ends and between words, letters that are written
//! as one character or as a letter with its mark, wide and narrow forms of the same letter, and Cyrillic and
//! Greek letters that are drawn as Latin ones. Small and big letters are told apart, and so are `l`, `I` and
//! `1`: those differ in some typefaces, and a refusal would hit honest labels.

use crate::text::shown;

/// Returns what a text looks like; two texts with the same look cannot be told apart.
pub fn look(text: &str) -> String {
    let mut look = String::with_capacity(text.len());
    for word in shown(text).split_whitespace() {
        if !look.is_empty() {
            look.push(' ');
        }
        word.chars().for_each(|letter| draw(letter, &mut look));
    }
    look
}

fn draw(letter: char, look: &mut String) {
    if letter.is_ascii() {
        look.push(letter);
        return;
    }
    if let Some((base, mark)) = apart(letter) {
        draw(base, look);
        look.push(mark);
        return;
    }
    // Hangul syllables are made of their letters by counting.
    if ('\u{ac00}'..='\u{d7a3}').contains(&letter) {
        let nth = u32::from(letter) - 0xac00;
        let parts = [0x1100 + nth / 588, 0x1161 + nth % 588 / 28, 0x11a7 + nth % 28];
        let last = usize::from(nth % 28 != 0);
        look.extend(parts.into_iter().take(2 + last).filter_map(char::from_u32));
        return;
    }
    look.push(match letter {
        // Wide forms of what a keyboard has.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        _ => drawn_as(letter).unwrap_or(letter),
    });
}

/// The letter and the mark that another character writes in one.
fn apart(letter: char) -> Option<(char, char)> {
    MARKED.iter().find_map(|(mark, bases, letters)| {
        let nth = letters.chars().position(|it| it == letter)?;
        Some((bases.chars().nth(nth)?, *mark))
    })
}

/// The Latin letter that a letter of another script is drawn as.
fn drawn_as(letter: char) -> Option<char> {
    ALIKE.iter().find(|(_, letters)| letters.contains(letter)).map(|(latin, _)| *latin)
}

/// Latin letters, and the Cyrillic, Greek and Armenian ones that are drawn so in most typefaces.
#[rustfmt::skip]
const ALIKE: &[(char, &str)] = &[
    ('a', "аα"), ('c', "сϲ"), ('d', "ԁ"), ('e', "еҽ"), ('g', "ɡ"), ('h', "һ"), ('i', "іι"),
    ('j', "јϳ"), ('k', "κ"), ('l', "ӏ"), ('n', "ո"), ('o', "оοօ"), ('p', "рρ"), ('q', "ԛ"),
    ('s', "ѕ"), ('u', "υս"), ('v', "ѵν"), ('w', "ԝ"), ('x', "хχ"), ('y', "уγ"), ('A', "АΑ"),
    ('B', "ВΒ"), ('C', "СϹ"), ('E', "ЕΕ"), ('H', "НΗ"), ('I', "ІΙӀ"), ('J', "ЈͿ"), ('K', "КΚ"),
    ('M', "МΜ"), ('N', "Ν"), ('O', "ОΟ"), ('P', "РΡ"), ('S', "Ѕ"), ('T', "ТΤ"), ('V', "Ѵ"),
    ('X', "ХΧ"), ('Y', "УΥҮ"), ('Z', "Ζ"), ('G', "Ԍ"),
];

/// Marks, the letters that carry them, and the characters that write both in one: Latin, Greek, Cyrillic and
/// kana, as the Unicode Character Database has them.
#[rustfmt::skip]
const MARKED: &[(char, &str, &str)] = &[
    ('\u{300}', "AEIOUaeiouÜüNnЕИеиĒēŌōWwÂâĂăÊêÔôƠơƯưYyἀἁἈἉἐἑἘἙἠἡἨἩἰἱἸἹὀὁὈὉὐὑὙὠὡὨὩαεηιουωΑΕΗ᾿ϊΙ῾ϋΥ¨ΟΩ", "ÀÈÌÒÙàèìòùǛǜǸǹЀЍѐѝḔḕṐṑẀẁẦầẰằỀềỒồỜờỪừỲỳἂἃἊἋἒἓἚἛἢἣἪἫἲἳἺἻὂὃὊὋὒὓὛὢὣὪὫὰὲὴὶὸὺὼᾺῈῊ῍ῒῚ῝ῢῪ῭ῸῺ"),
    ('\u{301}', "AEIOUYaeiouyCcLlNnRrSsZzÜüGgÅåÆæØø¨ΑΕΗΙΟΥΩϊαεηιϋουωϒГКгкÇçĒēÏïKkMmÕõŌōPpŨũWwÂâĂăÊêÔôƠơƯưἀἁἈἉἐἑἘἙἠἡἨἩἰἱἸἹὀὁὈὉὐὑὙὠὡὨὩ᾿῾", "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹźǗǘǴǵǺǻǼǽǾǿ΅ΆΈΉΊΌΎΏΐάέήίΰόύώϓЃЌѓќḈḉḖḗḮḯḰḱḾḿṌṍṒṓṔṕṸṹẂẃẤấẮắẾếỐốỚớỨứἄἅἌἍἔἕἜἝἤἥἬἭἴἵἼἽὄὅὌὍὔὕὝὤὥὬὭ῎῞"),
    ('\u{302}', "AEIOUaeiouCcGgHhJjSsWwYyZzẠạẸẹỌọ", "ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷẐẑẬậỆệỘộ"),
    ('\u{303}', "ANOanoIiUuVvÂâĂăEeÊêÔôƠơƯưYy", "ÃÑÕãñõĨĩŨũṼṽẪẫẴẵẼẽỄễỖỗỠỡỮữỸỹ"),
    ('\u{304}', "AaEeIiOoUuÜüÄäȦȧÆæǪǫÖöÕõȮȯYyИиУуGgḶḷṚṛαΑιΙυΥ", "ĀāĒēĪīŌōŪūǕǖǞǟǠǡǢǣǬǭȪȫȬȭȰȱȲȳӢӣӮӯḠḡḸḹṜṝᾱᾹῑῙῡῩ"),
    ('\u{306}', "AaEeGgIiOoUuУИиуЖжАаЕеȨȩẠạαΑιΙυΥ", "ĂăĔĕĞğĬĭŎŏŬŭЎЙйўӁӂӐӑӖӗḜḝẶặᾰᾸῐῘῠῨ"),
    ('\u{307}', "CcEeGgIZzAaOoBbDdFfHhMmNnPpRrSsŚśŠšṢṣTtWwXxYyſ", "ĊċĖėĠġİŻżȦȧȮȯḂḃḊḋḞḟḢḣṀṁṄṅṖṗṘṙṠṡṤṥṦṧṨṩṪṫẆẇẊẋẎẏẛ"),
    ('\u{308}', "AEIOUaeiouyYΙΥιυϒЕІеіАаӘәЖжЗзИиОоӨөЭэУуЧчЫыHhÕõŪūWwXxt", "ÄËÏÖÜäëïöüÿŸΪΫϊϋϔЁЇёїӒӓӚӛӜӝӞӟӤӥӦӧӪӫӬӭӰӱӴӵӸӹḦḧṎṏṺṻẄẅẌẍẗ"),
    ('\u{309}', "AaÂâĂăEeÊêIiOoÔôƠơUuƯưYy", "ẢảẨẩẲẳẺẻỂểỈỉỎỏỔổỞởỦủỬửỶỷ"),
    ('\u{30a}', "AaUuwy", "ÅåŮůẘẙ"),
    ('\u{30b}', "OoUuУу", "ŐőŰűӲӳ"),
    ('\u{30c}', "CcDdEeLlNnRrSsTtZzAaIiOoUuÜüGgKkƷʒjHh", "ČčĎďĚěĽľŇňŘřŠšŤťŽžǍǎǏǐǑǒǓǔǙǚǦǧǨǩǮǯǰȞȟ"),
    ('\u{30f}', "AaEeIiOoRrUuѴѵ", "ȀȁȄȅȈȉȌȍȐȑȔȕѶѷ"),
    ('\u{311}', "AaEeIiOoRrUu", "ȂȃȆȇȊȋȎȏȒȓȖȗ"),
    ('\u{313}', "αΑεΕηΗιΙοΟυωΩρ", "ἀἈἐἘἠἨἰἸὀὈὐὠὨῤ"),
    ('\u{314}', "αΑεΕηΗιΙοΟυΥωΩρΡ", "ἁἉἑἙἡἩἱἹὁὉὑὙὡὩῥῬ"),
    ('\u{31b}', "OoUu", "ƠơƯư"),
    ('\u{323}', "BbDdHhKkLlMmNnRrSsTtVvWwZzAaEeIiOoƠơUuƯưYy", "ḄḅḌḍḤḥḲḳḶḷṂṃṆṇṚṛṢṣṬṭṾṿẈẉẒẓẠạẸẹỊịỌọỢợỤụỰựỴỵ"),
    ('\u{324}', "Uu", "Ṳṳ"),
    ('\u{325}', "Aa", "Ḁḁ"),
    ('\u{326}', "SsTt", "ȘșȚț"),
    ('\u{327}', "CcGgKkLlNnRrSsTtEeDdHh", "ÇçĢģĶķĻļŅņŖŗŞşŢţȨȩḐḑḨḩ"),
    ('\u{328}', "AaEeIiUuOo", "ĄąĘęĮįŲųǪǫ"),
    ('\u{32d}', "DdEeLlNnTtUu", "ḒḓḘḙḼḽṊṋṰṱṶṷ"),
    ('\u{32e}', "Hh", "Ḫḫ"),
    ('\u{330}', "EeIiUu", "ḚḛḬḭṴṵ"),
    ('\u{331}', "BbDdKkLlNnRrTtZzh", "ḆḇḎḏḴḵḺḻṈṉṞṟṮṯẔẕẖ"),
    ('\u{342}', "ἀἁἈἉἠἡἨἩἰἱἸἹὐὑὙὠὡὨὩα¨η᾿ιϊ῾υϋω", "ἆἇἎἏἦἧἮἯἶἷἾἿὖὗὟὦὧὮὯᾶ῁ῆ῏ῖῗ῟ῦῧῶ"),
    ('\u{345}', "ἀἁἂἃἄἅἆἇἈἉἊἋἌἍἎἏἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὰαάᾶΑὴηήῆΗὼωώῶΩ", "ᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯᾲᾳᾴᾷᾼῂῃῄῇῌῲῳῴῷῼ"),
    ('\u{3099}', "かきくけこさしすせそたちつてとはひふへほうゝカキクケコサシスセソタチツテトハヒフヘホウワヰヱヲヽ", "がぎぐげござじずぜぞだぢづでどばびぶべぼゔゞガギグゲゴザジズゼゾダヂヅデドバビブベボヴヷヸヹヺヾ"),
    ('\u{309a}', "はひふへほハヒフヘホ", "ぱぴぷぺぽパピプペポ"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_has_the_same_look() {
        for (one, other) in [
            ("Production", "Pr\u{43e}duction"),
            ("Yes", "Yes "),
            ("Yes", "\u{3000}Yes"),
            ("two words", "two\u{a0}\u{2009}words"),
            ("r\u{e9}sum\u{e9}", "re\u{301}sume\u{301}"),
            ("\u{1ebf}", "e\u{302}\u{301}"),
            ("\u{304c}", "\u{304b}\u{3099}"),
            ("\u{d55c}\u{ac00}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1161}"),
            ("\u{439}", "\u{438}\u{306}"),
            ("ABC", "\u{ff21}\u{ff22}\u{ff23}"),
            ("PAY", "\u{420}\u{410}\u{423}"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn what_differs_to_the_eye_differs() {
        let all = [
            "Yes",
            "yes",
            "No",
            "resume",
            "r\u{e9}sum\u{e9}",
            "10",
            "l0",
            "I",
            "1",
            "да",
            "нет",
            "生产",
            "生产环境",
            "한",
            "하",
        ];
        for (idx, one) in all.iter().enumerate() {
            for other in &all[idx + 1..] {
                assert_ne!(look(one), look(other));
            }
        }
    }
}

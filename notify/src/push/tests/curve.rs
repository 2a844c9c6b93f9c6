//! The curve P-256 from its definition, for a browser's half of the agreement on a secret: slow, plain,
//! and other code than what seals.

/// A number of 256 bits, the lowest 64 first.
type Number = [u64; 4];

/// The prime that everything is counted by.
const PRIME: Number = [0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff, 0, 0xffff_ffff_0000_0001];
const ZERO: Number = [0; 4];
const ONE: Number = [1, 0, 0, 0];
/// The point that public keys are counted from.
const BASE: (Number, Number) = (
    [0xf4a1_3945_d898_c296, 0x7703_7d81_2deb_33a0, 0xf8bc_e6e5_63a4_40f2, 0x6b17_d1f2_e12c_4247],
    [0xcbb6_4068_37bf_51f5, 0x2bce_3357_6b31_5ece, 0x8ee7_eb4a_7c0f_9e16, 0x4fe3_42e2_fe1a_7f9b],
);

fn read(bytes: &[u8]) -> Number {
    let limb = |place: usize| u64::from_be_bytes(bytes[place * 8..place * 8 + 8].try_into().unwrap());
    [limb(3), limb(2), limb(1), limb(0)]
}

fn write(number: Number) -> Vec<u8> {
    number.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

fn bit(number: Number, place: usize) -> bool {
    number[place / 64] >> (place % 64) & 1 == 1
}

fn carried(left: Number, right: Number) -> (Number, bool) {
    let (mut sum, mut carry) = (ZERO, false);
    for place in 0..4 {
        let (half, first) = left[place].overflowing_add(right[place]);
        let (whole, second) = half.overflowing_add(u64::from(carry));
        (sum[place], carry) = (whole, first || second);
    }
    (sum, carry)
}

fn borrowed(left: Number, right: Number) -> (Number, bool) {
    let (mut rest, mut borrow) = (ZERO, false);
    for place in 0..4 {
        let (half, first) = left[place].overflowing_sub(right[place]);
        let (whole, second) = half.overflowing_sub(u64::from(borrow));
        (rest[place], borrow) = (whole, first || second);
    }
    (rest, borrow)
}

fn plus(left: Number, right: Number) -> Number {
    let (sum, carry) = carried(left, right);
    let (less, borrow) = borrowed(sum, PRIME);
    if carry || !borrow { less } else { sum }
}

fn minus(left: Number, right: Number) -> Number {
    let (rest, borrow) = borrowed(left, right);
    if borrow { carried(rest, PRIME).0 } else { rest }
}

fn times(left: Number, right: Number) -> Number {
    (0..256).rev().fold(ZERO, |sum, place| {
        let twice = plus(sum, sum);
        if bit(right, place) { plus(twice, left) } else { twice }
    })
}

/// One over a number: its power of the prime less two.
fn inverse(number: Number) -> Number {
    let power = borrowed(PRIME, [2, 0, 0, 0]).0;
    (0..256).rev().fold(ONE, |made, place| {
        let square = times(made, made);
        if bit(power, place) { times(square, number) } else { square }
    })
}

/// A point with its denominator apart.
type Point = (Number, Number, Number);

fn doubled((x, y, z): Point) -> Point {
    let (delta, gamma) = (times(z, z), times(y, y));
    let beta = times(x, gamma);
    let slope = times(minus(x, delta), plus(x, delta));
    let alpha = plus(slope, plus(slope, slope));
    let four = plus(plus(beta, beta), plus(beta, beta));
    let across = minus(times(alpha, alpha), plus(four, four));
    let both = plus(y, z);
    let under = minus(minus(times(both, both), gamma), delta);
    let square = times(gamma, gamma);
    let two = plus(square, square);
    let four_squares = plus(two, two);
    let up = minus(times(alpha, minus(four, across)), plus(four_squares, four_squares));
    (across, up, under)
}

fn added((x, y, z): Point, to: (Number, Number)) -> Point {
    let square = times(z, z);
    let run = minus(times(to.0, square), x);
    let rise = minus(times(times(to.1, z), square), y);
    let run_square = times(run, run);
    let run_cube = times(run, run_square);
    let middle = times(x, run_square);
    let across = minus(minus(times(rise, rise), run_cube), plus(middle, middle));
    let up = minus(times(rise, minus(middle, across)), times(y, run_cube));
    (across, up, times(z, run))
}

/// So many times a point.
fn multiplied(factor: Number, point: (Number, Number)) -> (Number, Number) {
    let mut sum: Option<Point> = None;
    for place in (0..256).rev() {
        sum = sum.map(doubled);
        if bit(factor, place) {
            sum = Some(sum.map_or((point.0, point.1, ONE), |sum| added(sum, point)));
        }
    }
    let (x, y, z) = sum.unwrap();
    let under = inverse(z);
    let square = times(under, under);
    (times(x, square), times(y, times(square, under)))
}

/// The public half of a key.
pub(super) fn public(secret: &[u8]) -> Vec<u8> {
    let (x, y) = multiplied(read(secret), BASE);
    [vec![4], write(x), write(y)].concat()
}

/// What the owner of a key and the owner of this public one agree on.
pub(super) fn agreed(secret: &[u8], public: &[u8]) -> Vec<u8> {
    assert_eq!((public[0], public.len()), (4, 65));
    write(multiplied(read(secret), (read(&public[1..33]), read(&public[33..]))).0)
}

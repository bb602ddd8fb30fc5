(module
  (memory (export "memory") 24)

  ;; Where "numbers" stopped: the next byte to look at, and the place for the next double.
  (global $at (export "at") (mut i32) (i32.const 0))
  (global $out (export "out") (mut i32) (i32.const 0))

  ;; Reads numbers of JSON, and "NaN", with commas between them, from $from up to $end, where a byte 0 must stand, and writes
  ;; them as doubles.
  ;; $powers: 10^0 to 10^22 as doubles. $fives: 5^-342 to 5^308, each as 128 bits of which the highest is set, the upper half first.
  ;; Returns 0 behind a number that no comma follows, 1 before one that may go on beyond $end, 2 before something else: no number,
  ;; or one whose double can't be told here for sure.
  (func (export "numbers")
    (param $from i32) (param $end i32) (param $to i32) (param $powers i32) (param $fives i32) (result i32)
    (local $p i32) (local $byte i32) (local $start i32) (local $first i32) (local $point i32)
    (local $digits i32) (local $exponent i32) (local $given i32) (local $sign i32) (local $value f64) (local $whole i64)
    (local.set $p (local.get $from))
    (global.set $out (local.get $to))
    (loop $next
      (if (i32.le_u (i32.load8_u (local.get $p)) (i32.const 0x20)) (then
        (local.set $p (call $skip_space (local.get $p)))))
      (local.set $start (local.get $p))
      (global.set $at (local.get $p))
      (block $read
        (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 0x2d)) (then
          (local.set $p (i32.add (local.get $p) (i32.const 1)))))

        ;; Digits before the point: none is no number, and nor is a second one after a 0.
        (local.set $whole (i64.const 0))
        (local.set $first (local.get $p))
        (block $no_digit (loop $digit
          (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 0x30)))
          (br_if $no_digit (i32.gt_u (local.get $byte) (i32.const 9)))
          (local.set $whole (i64.add (i64.mul (local.get $whole) (i64.const 10)) (i64.extend_i32_u (local.get $byte))))
          (local.set $p (i32.add (local.get $p) (i32.const 1)))
          (br $digit)))
        (if (i32.eq (local.get $p) (local.get $first)) (then
          ;; "NaN", of which data with gaps is full.
          (if (i32.and
                (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x22))
                (i32.and
                  (i32.eq (i32.load offset=1 align=1 (local.get $start)) (i32.const 0x224e614e))
                  (i32.le_u (i32.add (local.get $start) (i32.const 5)) (local.get $end)))) (then
            (local.set $p (i32.add (local.get $start) (i32.const 5)))
            (local.set $value (f64.const nan))
            (br $read)))
          (return (select (i32.const 1) (i32.const 2) (i32.eq (local.get $p) (local.get $end))))))
        ;; Zeros in front do not count among the digits.
        (local.set $digits (i32.sub (local.get $p) (local.get $first)))
        (if (i32.eq (i32.load8_u (local.get $first)) (i32.const 0x30)) (then
          (if (i32.gt_u (local.get $digits) (i32.const 1)) (then (return (i32.const 2))))
          (local.set $digits (i32.const 0))))

        (local.set $exponent (i32.const 0))
        (if (i32.eq (local.get $byte) (i32.const -2)) (then
          (local.set $p (i32.add (local.get $p) (i32.const 1)))
          (local.set $point (local.get $p))
          (if (i32.eqz (local.get $digits)) (then
            (block $no_zero (loop $zero
              (br_if $no_zero (i32.ne (i32.load8_u (local.get $p)) (i32.const 0x30)))
              (local.set $p (i32.add (local.get $p) (i32.const 1)))
              (br $zero)))))
          (local.set $first (local.get $p))
          (block $no_digit (loop $digit
            (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 0x30)))
            (br_if $no_digit (i32.gt_u (local.get $byte) (i32.const 9)))
            (local.set $whole (i64.add (i64.mul (local.get $whole) (i64.const 10)) (i64.extend_i32_u (local.get $byte))))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (br $digit)))
          (local.set $digits (i32.add (local.get $digits) (i32.sub (local.get $p) (local.get $first))))
          (local.set $exponent (i32.sub (local.get $point) (local.get $p)))
          (if (i32.eqz (local.get $exponent)) (then
            (return (select (i32.const 1) (i32.const 2) (i32.eq (local.get $p) (local.get $end))))))))

        ;; An "e", of either case.
        (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x35)) (then
          (local.set $p (i32.add (local.get $p) (i32.const 1)))
          (local.set $sign (i32.load8_u (local.get $p)))
          (if (i32.or (i32.eq (local.get $sign) (i32.const 0x2b)) (i32.eq (local.get $sign) (i32.const 0x2d))) (then
            (local.set $p (i32.add (local.get $p) (i32.const 1)))))
          (local.set $first (local.get $p))
          (local.set $given (i32.const 0))
          (block $no_digit (loop $digit
            (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 0x30)))
            (br_if $no_digit (i32.gt_u (local.get $byte) (i32.const 9)))
            (local.set $given (i32.add (i32.mul (local.get $given) (i32.const 10)) (local.get $byte)))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (br $digit)))
          (if (i32.eq (local.get $p) (local.get $first)) (then
            (return (select (i32.const 1) (i32.const 2) (i32.eq (local.get $p) (local.get $end))))))
          (if (i32.gt_u (i32.sub (local.get $p) (local.get $first)) (i32.const 4)) (then (return (i32.const 2))))
          (local.set $exponent (i32.add (local.get $exponent)
            (select (i32.sub (i32.const 0) (local.get $given)) (local.get $given)
              (i32.eq (local.get $sign) (i32.const 0x2d)))))))
        (if (i32.eq (local.get $p) (local.get $end)) (then (return (i32.const 1))))

        ;; Up to 19 digits fit 64 bits.
        (if (i32.gt_u (local.get $digits) (i32.const 19)) (then (return (i32.const 2))))
        (if (i32.and
              (i64.le_u (local.get $whole) (i64.const 0x20000000000000))
              (i32.le_u (i32.add (local.get $exponent) (i32.const 22)) (i32.const 44)))
          (then
            ;; Both are doubles as they are, so that one division or multiplication rounds as it should.
            (local.set $value (f64.convert_i64_u (local.get $whole)))
            (if (i32.lt_s (local.get $exponent) (i32.const 0))
              (then (local.set $value (f64.div (local.get $value) (f64.load
                (i32.sub (local.get $powers) (i32.shl (local.get $exponent) (i32.const 3)))))))
              (else (local.set $value (f64.mul (local.get $value) (f64.load
                (i32.add (local.get $powers) (i32.shl (local.get $exponent) (i32.const 3)))))))))
          (else
            (local.set $value (call $rounded (local.get $whole) (local.get $exponent) (local.get $fives)))
            (if (f64.ne (local.get $value) (local.get $value)) (then (return (i32.const 2)))))))
      (f64.store (global.get $out)
        (select (f64.neg (local.get $value)) (local.get $value)
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x2d))))
      (global.set $out (i32.add (global.get $out) (i32.const 8)))
      (if (i32.le_u (i32.load8_u (local.get $p)) (i32.const 0x20)) (then
        (local.set $p (call $skip_space (local.get $p)))))
      (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 0x2c)) (then
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $next))))
    (global.set $at (local.get $p))
    (i32.const 0))

  (func $skip_space (param $p i32) (result i32)
    (local $byte i32)
    (loop $more
      (local.set $byte (i32.load8_u (local.get $p)))
      (if (i32.gt_u (local.get $byte) (i32.const 0x20)) (then (return (local.get $p))))
      (if (i32.or
            (i32.or (i32.eq (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x0a)))
            (i32.or (i32.eq (local.get $byte) (i32.const 0x0d)) (i32.eq (local.get $byte) (i32.const 0x09)))) (then
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $more))))
    (local.get $p))

  ;; $whole × 10^$exponent rounded to a double by the method of Eisel and Lemire: the product with a power of five of 128 bits has
  ;; more bits than a double needs, and whether those that were cut off could matter shows in the ones next to them. NaN: they could.
  (func $rounded (param $whole i64) (param $exponent i32) (param $fives i32) (result f64)
    (local $zeros i64) (local $low i64) (local $high i64) (local $more i64) (local $top i64)
    (local $mantissa i64) (local $power i64)
    (if (i32.gt_u (i32.add (local.get $exponent) (i32.const 342)) (i32.const 650)) (then (return (f64.const nan))))
    (if (i64.eqz (local.get $whole)) (then (return (f64.const 0))))
    (local.set $fives (i32.add (local.get $fives)
      (i32.shl (i32.add (local.get $exponent) (i32.const 342)) (i32.const 4))))
    (local.set $zeros (i64.clz (local.get $whole)))
    (local.set $whole (i64.shl (local.get $whole) (local.get $zeros)))
    (local.set $low (i64.mul (local.get $whole) (i64.load (local.get $fives))))
    (local.set $high (call $upper_half (local.get $whole) (i64.load (local.get $fives))))
    (if (i64.eq (i64.and (local.get $high) (i64.const 0x1ff)) (i64.const 0x1ff)) (then
      (local.set $more (call $upper_half (local.get $whole) (i64.load offset=8 (local.get $fives))))
      (local.set $low (i64.add (local.get $low) (local.get $more)))
      (if (i64.lt_u (local.get $low) (local.get $more)) (then
        (local.set $high (i64.add (local.get $high) (i64.const 1)))))
      (if (i64.eq (local.get $low) (i64.const -1)) (then (return (f64.const nan))))))
    (local.set $top (i64.shr_u (local.get $high) (i64.const 63)))
    (local.set $mantissa (i64.shr_u (local.get $high) (i64.add (local.get $top) (i64.const 9))))
    ;; 217706 / 65536 is the logarithm of ten to the base two.
    (local.set $power (i64.add
      (i64.sub (local.get $top) (local.get $zeros))
      (i64.add (i64.const 1086) (i64.extend_i32_s
        (i32.shr_s (i32.mul (local.get $exponent) (i32.const 217706)) (i32.const 16))))))
    (if (i64.le_s (local.get $power) (i64.const 0)) (then (return (f64.const nan))))
    ;; Exactly in the middle between two doubles: the even one.
    (if (i32.and
          (i32.and
            (i64.le_u (local.get $low) (i64.const 1))
            (i32.le_u (i32.add (local.get $exponent) (i32.const 4)) (i32.const 27)))
          (i32.and
            (i64.eq (i64.and (local.get $mantissa) (i64.const 3)) (i64.const 1))
            (i64.eq (i64.shl (local.get $mantissa) (i64.add (local.get $top) (i64.const 9))) (local.get $high)))) (then
      (local.set $mantissa (i64.and (local.get $mantissa) (i64.const -2)))))
    (local.set $mantissa (i64.shr_u
      (i64.add (local.get $mantissa) (i64.and (local.get $mantissa) (i64.const 1)))
      (i64.const 1)))
    (if (i64.ge_u (local.get $mantissa) (i64.const 0x20000000000000)) (then
      (local.set $mantissa (i64.const 0x10000000000000))
      (local.set $power (i64.add (local.get $power) (i64.const 1)))))
    (if (i64.ge_s (local.get $power) (i64.const 2047)) (then (return (f64.const nan))))
    (f64.reinterpret_i64 (i64.or
      (i64.and (local.get $mantissa) (i64.const 0xfffffffffffff))
      (i64.shl (local.get $power) (i64.const 52)))))

  (func $upper_half (param $a i64) (param $b i64) (result i64)
    (local $a_low i64) (local $a_high i64) (local $b_low i64) (local $b_high i64) (local $cross i64) (local $middle i64)
    (local.set $a_low (i64.and (local.get $a) (i64.const 0xffffffff)))
    (local.set $a_high (i64.shr_u (local.get $a) (i64.const 32)))
    (local.set $b_low (i64.and (local.get $b) (i64.const 0xffffffff)))
    (local.set $b_high (i64.shr_u (local.get $b) (i64.const 32)))
    (local.set $cross (i64.mul (local.get $a_high) (local.get $b_low)))
    (local.set $middle (i64.add
      (i64.add
        (i64.shr_u (i64.mul (local.get $a_low) (local.get $b_low)) (i64.const 32))
        (i64.and (local.get $cross) (i64.const 0xffffffff)))
      (i64.mul (local.get $a_low) (local.get $b_high))))
    (i64.add
      (i64.add (i64.mul (local.get $a_high) (local.get $b_high)) (i64.shr_u (local.get $cross) (i64.const 32)))
      (i64.shr_u (local.get $middle) (i64.const 32)))))

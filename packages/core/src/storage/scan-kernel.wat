(module
  (memory (export "memory") 1)
  ;; Scores `count` rows (a multiple of four) of `width` int8 values (a multiple of sixteen) against a query of int16
  ;; values: out[i] = scale[i] * (row[i] . query).
  (func (export "scan")
    (param $rows i32) (param $count i32) (param $width i32) (param $query i32) (param $scales i32) (param $out i32)
    (local $end i32) (local $step i32) (local $q i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32)
    (local $low v128) (local $high v128) (local $v v128)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $r0 (local.get $rows))
        (local.set $r1 (i32.add (local.get $r0) (local.get $width)))
        (local.set $r2 (i32.add (local.get $r1) (local.get $width)))
        (local.set $r3 (i32.add (local.get $r2) (local.get $width)))
        (local.set $rows (i32.add (local.get $r3) (local.get $width)))
        (local.set $a0 (v128.const i32x4 0 0 0 0))
        (local.set $a1 (v128.const i32x4 0 0 0 0))
        (local.set $a2 (v128.const i32x4 0 0 0 0))
        (local.set $a3 (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $step (i32.const 0))
        (loop $along
          (local.set $low (v128.load (local.get $q)))
          (local.set $high (v128.load offset=16 (local.get $q)))
          (local.set $v (v128.load (i32.add (local.get $r0) (local.get $step))))
          (local.set $a0 (i32x4.add (local.get $a0) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (local.get $high)))))
          (local.set $v (v128.load (i32.add (local.get $r1) (local.get $step))))
          (local.set $a1 (i32x4.add (local.get $a1) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (local.get $high)))))
          (local.set $v (v128.load (i32.add (local.get $r2) (local.get $step))))
          (local.set $a2 (i32x4.add (local.get $a2) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (local.get $high)))))
          (local.set $v (v128.load (i32.add (local.get $r3) (local.get $step))))
          (local.set $a3 (i32x4.add (local.get $a3) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (local.get $high)))))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $step (i32.add (local.get $step) (i32.const 16)))
          (br_if $along (i32.lt_u (local.get $step) (local.get $width))))
        ;; Transpose the four sums of four lanes, and add them up: one total per row.
        (local.set $low (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $a0) (local.get $a1))
          (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $a0) (local.get $a1))))
        (local.set $high (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $a2) (local.get $a3))
          (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $a2) (local.get $a3))))
        (v128.store (local.get $out) (f32x4.mul (v128.load (local.get $scales))
          (f32x4.convert_i32x4_s (i32x4.add
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $low) (local.get $high))
            (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $low) (local.get $high))))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $next)))))

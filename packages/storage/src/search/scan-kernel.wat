(module
  (memory (export "memory") 1)

  ;; Looks through sketches, sixteen rows at a time. A sketch has a bit per dimension; four of them pick one of the
  ;; sixteen entries of a table, and the entries that a row picks from all tables add up to its sum.
  ;; Group after group, $steps times sixteen bytes: one for each row, four bits for one table, four for the next.
  ;; $tables: twice $steps times sixteen bytes. $out: sixteen 16-bit sums per group.
  (func (export "sums")
    (param $sketches i32) (param $groups i32) (param $steps i32) (param $tables i32) (param $out i32)
    (local $end i32) (local $group_end i32) (local $table i32)
    (local $bits v128) (local $picked v128) (local $first v128) (local $second v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $groups) (i32.const 5))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $group_end (i32.add (local.get $sketches) (i32.shl (local.get $steps) (i32.const 4))))
        (local.set $table (local.get $tables))
        (local.set $first (v128.const i32x4 0 0 0 0))
        (local.set $second (v128.const i32x4 0 0 0 0))
        (loop $along
          (local.set $bits (v128.load (local.get $sketches)))
          (local.set $picked (i8x16.add
            (i8x16.swizzle (v128.load (local.get $table))
              (v128.and (local.get $bits) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
            (i8x16.swizzle (v128.load offset=16 (local.get $table))
              (i8x16.shr_u (local.get $bits) (i32.const 4)))))
          (local.set $first (i16x8.add (local.get $first) (i16x8.extend_low_i8x16_u (local.get $picked))))
          (local.set $second (i16x8.add (local.get $second) (i16x8.extend_high_i8x16_u (local.get $picked))))
          (local.set $table (i32.add (local.get $table) (i32.const 32)))
          (local.set $sketches (i32.add (local.get $sketches) (i32.const 16)))
          (br_if $along (i32.lt_u (local.get $sketches) (local.get $group_end))))
        (v128.store (local.get $out) (local.get $first))
        (v128.store offset=16 (local.get $out) (local.get $second))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (br $next))))

  ;; The dot products of some rows of $width int8 values (a multiple of sixteen) with a query of int16 values.
  ;; $addresses: where each of the rows begins. $out: a 32-bit number for each.
  (func (export "dots")
    (param $addresses i32) (param $count i32) (param $width i32) (param $query i32) (param $out i32)
    (local $end i32) (local $row i32) (local $row_end i32) (local $q i32)
    (local $values v128) (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $row (i32.load (local.get $addresses)))
        (local.set $row_end (i32.add (local.get $row) (local.get $width)))
        (local.set $q (local.get $query))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (loop $along
          (local.set $values (v128.load (local.get $row)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $values)) (v128.load (local.get $q)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $values)) (v128.load offset=16 (local.get $q)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $along (i32.lt_u (local.get $row) (local.get $row_end))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))))

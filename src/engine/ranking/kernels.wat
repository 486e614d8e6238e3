;; Inner loops of the ranking. Printed into kernels-module.ts by `npm run check -- --write`. Addresses and the layout are in kernels.ts.
(module
  (memory (export "memory") 256)

  ;; The last four characters of a text, 16 bits each; then its length, words, and letters of the word so far.
  (global $last (mut i64) (i64.const 0))
  (global $length (mut i32) (i32.const 0))
  (global $word (mut i32) (i32.const 0))
  (global $letters (mut i32) (i32.const 0))

  ;; The place of a four-gram, or the free place for it, in a table of 4,096 keys with linear probing.
  (func $placeOf (param $table i32) (param $key i64) (result i32)
    (local $place i32) (local $found i64)
    (local.set $place (i32.wrap_i64 (i64.shr_u (i64.mul (local.get $key) (i64.const 0x9e3779b97f4a7c15)) (i64.const 52))))
    (loop $next
      (local.set $found (i64.load (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 3)))))
      (if (i32.or (i64.eqz (local.get $found)) (i64.eq (local.get $found) (local.get $key))) (then (return (local.get $place))))
      (local.set $place (i32.and (i32.add (local.get $place) (i32.const 1)) (i32.const 4095)))
      (br $next))
    (unreachable))

  ;; Puts a four-gram into the table, whose numbers follow the keys.
  (func (export "put") (param $table i32) (param $first i32) (param $second i32) (param $number i32)
    (local $key i64) (local $place i32)
    (local.set $key (i64.or (i64.shl (i64.extend_i32_u (local.get $first)) (i64.const 32)) (i64.extend_i32_u (local.get $second))))
    (local.set $place (call $placeOf (local.get $table) (local.get $key)))
    (i64.store (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 3))) (local.get $key))
    (i32.store16 offset=32768 (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 1))) (local.get $number)))

  (func (export "begin")
    (global.set $last (i64.const 32))
    (global.set $length (i32.const 1))
    (global.set $word (i32.const 0))
    (global.set $letters (i32.const 0)))

  (func (export "length") (result i32) (global.get $length))

  ;; Reads `count` characters of a text, as the forms of a table, or as they are if the table is 0. Form 32 separates words, form 0 is skipped.
  ;; Counts each four-gram of the table at its number in `counts`. Writes to `out` the heads of words: the number of the four-gram, and the number of the word times 1,024. Returns how many.
  ;; Returns -1 at a form from 0xfffe on.
  (func (export "find") (param $table i32) (param $text i32) (param $count i32) (param $forms i32) (param $counts i32) (param $out i32) (result i32)
    (local $end i32) (local $form i32) (local $start i32) (local $place i32) (local $number i32)
    (local $four i64) (local $read i32) (local $words i32) (local $own i32)
    (local.set $four (global.get $last))
    (local.set $read (global.get $length))
    (local.set $words (global.get $word))
    (local.set $own (global.get $letters))
    (local.set $start (local.get $out))
    (local.set $end (i32.add (local.get $text) (i32.shl (local.get $count) (i32.const 1))))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $text) (local.get $end)))
      (local.set $form (i32.load16_u (local.get $text)))
      (local.set $text (i32.add (local.get $text) (i32.const 2)))
      (if (local.get $forms) (then
        (local.set $form (i32.load16_u (i32.add (local.get $forms) (i32.shl (local.get $form) (i32.const 1)))))
        (if (i32.ge_u (local.get $form) (i32.const 0xfffe)) (then (return (i32.const -1))))))
      (br_if $next (i32.eqz (local.get $form)))
      (if (i32.eq (i32.and (i32.wrap_i64 (local.get $four)) (i32.const 0xffff)) (i32.const 32)) (then
        (br_if $next (i32.eq (local.get $form) (i32.const 32)))
        (local.set $words (i32.add (local.get $words) (i32.const 1)))
        (local.set $own (i32.const 0))))
      (local.set $read (i32.add (local.get $read) (i32.const 1)))
      (local.set $own (i32.add (local.get $own) (i32.const 1)))
      (local.set $four (i64.or (i64.shl (local.get $four) (i64.const 16)) (i64.extend_i32_u (local.get $form))))
      (br_if $next (i32.lt_u (local.get $read) (i32.const 4)))
      (local.set $place (call $placeOf (local.get $table) (local.get $four)))
      (br_if $next (i64.eqz (i64.load (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 3))))))
      (local.set $number (i32.load16_u offset=32768 (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 1)))))
      (local.set $place (i32.add (local.get $counts) (i32.shl (local.get $number) (i32.const 2))))
      (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
      (br_if $next (i32.eqz (i32.or (i32.eq (local.get $own) (i32.const 4))
        (i32.and (i32.eq (local.get $own) (i32.const 3)) (i32.eq (local.get $form) (i32.const 32))))))
      (i32.store (local.get $out) (i32.or (local.get $number) (i32.shl (local.get $words) (i32.const 10))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $next)))
    (global.set $last (local.get $four))
    (global.set $length (local.get $read))
    (global.set $word (local.get $words))
    (global.set $letters (local.get $own))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))

  ;; Unpacks windows, from `packed` to before `end`, to signed bytes at `out`. A block is the largest of its 32 numbers, and two codes a byte; see windows.ts.
  (func (export "unpack") (param $packed i32) (param $end i32) (param $out i32)
    (local $codes v128) (local $low v128) (local $high v128) (local $step v128)
    (loop $next
      (local.set $step (i16x8.splat (i32.sub (i32.const 0) (i32.load8_s (local.get $packed)))))
      (local.set $codes (v128.load offset=1 (local.get $packed)))
      (local.set $low (i8x16.shr_s (i8x16.shl (local.get $codes) (i32.const 4)) (i32.const 4)))
      (local.set $high (i8x16.shr_s (local.get $codes) (i32.const 4)))
      (v128.store (local.get $out) (call $scale (local.get $step)
        (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (local.get $high))))
      (v128.store offset=16 (local.get $out) (call $scale (local.get $step)
        (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $low) (local.get $high))))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $next (i32.lt_u (local.tee $packed (i32.add (local.get $packed) (i32.const 17))) (local.get $end)))))

  (func $scale (param $step v128) (param $codes v128) (result v128)
    (i8x16.narrow_i16x8_s
      (i16x8.shr_s (i16x8.add (i16x8.mul (i16x8.extend_low_i8x16_s (local.get $codes)) (local.get $step)) (i16x8.splat (i32.const 4))) (i32.const 3))
      (i16x8.shr_s (i16x8.add (i16x8.mul (i16x8.extend_high_i8x16_s (local.get $codes)) (local.get $step)) (i16x8.splat (i32.const 4))) (i32.const 3))))

  ;; Writes to `out`, as f32, the dot products of a vector of f32 with rows of signed bytes, one each `stride` bytes. Reads `bytes` numbers of a row, a multiple of 8.
  (func (export "rowDots") (param $floats i32) (param $rows i32) (param $stride i32) (param $bytes i32) (param $out i32) (param $end i32)
    (local $float i32) (local $at i32) (local $stop i32) (local $numbers v128) (local $low v128) (local $high v128)
    (loop $row
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $float (local.get $floats))
      (local.set $at (local.get $rows))
      (local.set $stop (i32.add (local.get $rows) (local.get $bytes)))
      (loop $more
        (local.set $numbers (v128.load8x8_s (local.get $at)))
        (local.set $low (f32x4.add (local.get $low) (f32x4.mul (v128.load (local.get $float))
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $numbers))))))
        (local.set $high (f32x4.add (local.get $high) (f32x4.mul (v128.load offset=16 (local.get $float))
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $numbers))))))
        (local.set $float (i32.add (local.get $float) (i32.const 32)))
        (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $stop))))
      (f32.store (local.get $out) (call $sum (f32x4.add (local.get $low) (local.get $high))))
      (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
      (br_if $row (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end)))))

  ;; Writes to `out`, as f32, the sum of rows of signed bytes, from `rows` to before `end`, one each `stride` bytes. Reads `bytes` numbers of a row, a multiple of 8.
  (func (export "sumRows") (param $rows i32) (param $end i32) (param $stride i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $stop i32) (local $low v128) (local $high v128) (local $numbers v128)
    (local.set $stop (i32.add (local.get $rows) (local.get $bytes)))
    (loop $column
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $rows))
      (loop $more
        (local.set $numbers (v128.load8x8_s (local.get $at)))
        (local.set $low (i32x4.add (local.get $low) (i32x4.extend_low_i16x8_s (local.get $numbers))))
        (local.set $high (i32x4.add (local.get $high) (i32x4.extend_high_i16x8_s (local.get $numbers))))
        (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (local.get $stride))) (local.get $end))))
      (v128.store (local.get $out) (f32x4.convert_i32x4_s (local.get $low)))
      (v128.store offset=16 (local.get $out) (f32x4.convert_i32x4_s (local.get $high)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $end (i32.add (local.get $end) (i32.const 8)))
      (br_if $column (i32.lt_u (local.tee $rows (i32.add (local.get $rows) (i32.const 8))) (local.get $stop)))))

  (func $sum (param $numbers v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $numbers)) (f32x4.extract_lane 1 (local.get $numbers)))
      (f32.add (f32x4.extract_lane 2 (local.get $numbers)) (f32x4.extract_lane 3 (local.get $numbers)))))

  ;; The dot product of two vectors of f32. `bytes` is a multiple of 32.
  (func (export "dot") (param $one i32) (param $other i32) (param $bytes i32) (result f32)
    (local $stop i32) (local $low v128) (local $high v128)
    (local.set $stop (i32.add (local.get $one) (local.get $bytes)))
    (loop $more
      (local.set $low (f32x4.add (local.get $low) (f32x4.mul (v128.load (local.get $one)) (v128.load (local.get $other)))))
      (local.set $high (f32x4.add (local.get $high) (f32x4.mul (v128.load offset=16 (local.get $one)) (v128.load offset=16 (local.get $other)))))
      (local.set $other (i32.add (local.get $other) (i32.const 32)))
      (br_if $more (i32.lt_u (local.tee $one (i32.add (local.get $one) (i32.const 32))) (local.get $stop))))
    (call $sum (f32x4.add (local.get $low) (local.get $high)))))

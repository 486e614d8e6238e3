;; Loops over a table of four-bit numbers and its vocabulary. Printed into static-table-module.ts by `npm run check -- --write`.
(module
  ;; The memory of `static-table.ts`, which threads share. The numbers of all rows are at its start, two a byte, low half first.
  (import "table" "memory" (memory 1 65536 shared))

  ;; Writes to `out`, as floats, the sum of `count` rows divided by its length; zeros where that is 0. An entry is a row (i32) and its weight (f32).
  ;; A number is its code - 8, times the scale of its block of 32 (f32, at `scales`). Rows have `dimensions` numbers, of which the first `columns` count;
  ;; both are multiples of 32.
  (func (export "unitSum") (param $entries i32) (param $count i32) (param $dimensions i32) (param $columns i32) (param $scales i32) (param $out i32)
    (local $end i32) (local $entry i32) (local $column i32) (local $number i32) (local $to i32)
    (local $weight v128) (local $bytes v128) (local $low v128) (local $high v128) (local $half v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $squares v128) (local $length f32) (local $factor v128)

    (local.set $end (i32.add (local.get $entries) (i32.shl (local.get $count) (i32.const 3))))
    (loop $blocks ;; 32 numbers of all rows, in $a to $h
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $e (v128.const i32x4 0 0 0 0))
      (local.set $f (v128.const i32x4 0 0 0 0))
      (local.set $g (v128.const i32x4 0 0 0 0))
      (local.set $h (v128.const i32x4 0 0 0 0))
      (local.set $entry (local.get $entries))
      (block $summed
        (loop $rows
          (br_if $summed (i32.eq (local.get $entry) (local.get $end)))
          (local.set $number
            (i32.add (i32.mul (i32.load (local.get $entry)) (local.get $dimensions)) (local.get $column)))
          (local.set $weight (f32x4.splat (f32.mul
            (f32.load offset=4 (local.get $entry))
            (f32.load (i32.add (local.get $scales) (i32.shr_u (local.get $number) (i32.const 3)))))))
          (local.set $bytes (v128.load (i32.shr_u (local.get $number) (i32.const 1))))
          (local.set $low (i8x16.sub
            (v128.and (local.get $bytes) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
            (v128.const i32x4 0x08080808 0x08080808 0x08080808 0x08080808)))
          (local.set $high (i8x16.sub
            (i8x16.shr_u (local.get $bytes) (i32.const 4))
            (v128.const i32x4 0x08080808 0x08080808 0x08080808 0x08080808)))
          (local.set $bytes
            (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (local.get $high)))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $bytes
            (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $low) (local.get $high)))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $e (f32x4.add (local.get $e)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $f (f32x4.add (local.get $f)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $g (f32x4.add (local.get $g)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $h (f32x4.add (local.get $h)
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
          (br $rows)))
      (local.set $to (i32.add (local.get $out) (i32.shl (local.get $column) (i32.const 2))))
      (v128.store (local.get $to) (local.get $a))
      (v128.store offset=16 (local.get $to) (local.get $b))
      (v128.store offset=32 (local.get $to) (local.get $c))
      (v128.store offset=48 (local.get $to) (local.get $d))
      (v128.store offset=64 (local.get $to) (local.get $e))
      (v128.store offset=80 (local.get $to) (local.get $f))
      (v128.store offset=96 (local.get $to) (local.get $g))
      (v128.store offset=112 (local.get $to) (local.get $h))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.add
        (f32x4.add
          (f32x4.add (f32x4.mul (local.get $a) (local.get $a)) (f32x4.mul (local.get $b) (local.get $b)))
          (f32x4.add (f32x4.mul (local.get $c) (local.get $c)) (f32x4.mul (local.get $d) (local.get $d))))
        (f32x4.add
          (f32x4.add (f32x4.mul (local.get $e) (local.get $e)) (f32x4.mul (local.get $f) (local.get $f)))
          (f32x4.add (f32x4.mul (local.get $g) (local.get $g)) (f32x4.mul (local.get $h) (local.get $h)))))))
      (local.set $column (i32.add (local.get $column) (i32.const 32)))
      (br_if $blocks (i32.lt_u (local.get $column) (local.get $columns))))

    (local.set $length (f32.sqrt (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
      (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares))))))
    (if (f32.eq (local.get $length) (f32.const 0)) (then (return)))
    (local.set $factor (f32x4.splat (f32.div (f32.const 1) (local.get $length))))
    (local.set $to (local.get $out))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $columns) (i32.const 2))))
    (loop $scaled
      (v128.store (local.get $to) (f32x4.mul (local.get $factor) (v128.load (local.get $to))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $scaled (i32.lt_u (local.get $to) (local.get $end)))))

  ;; The rest fills the table from its files. The same loops in JavaScript take 60 ms more: a start runs them before they are compiled.

  ;; Widens `count` finite floats of 16 bits at `from` to 32 bits at `to`. They may be the second half of the target.
  (func (export "widenFloats") (param $from i32) (param $to i32) (param $count i32)
    (local $end i32) (local $half i32)
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $count) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $half (i32.load16_u (local.get $from)))
        ;; The sign, then exponent and fraction in the place of those of 32 bits, whose exponent is 112 too low.
        (f32.store (local.get $to) (f32.mul
          (f32.reinterpret_i32 (i32.or
            (i32.shl (i32.and (local.get $half) (i32.const 0x8000)) (i32.const 16))
            (i32.shl (i32.and (local.get $half) (i32.const 0x7fff)) (i32.const 13))))
          (f32.const 0x1p112)))
        (local.set $from (i32.add (local.get $from) (i32.const 2)))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (br $next))))

  ;; Indexes the pieces from `letters` to `end`, one a line, as described in piece-vocabulary.ts. Returns their number, at most one more than `rows`,
  ;; of which `rows` are indexed.
  (func (export "indexPieces")
    (param $letters i32) (param $end i32) (param $starts i32) (param $rows i32) (param $slots i32) (param $lastSlot i32) (param $reach i32)
    (result i32)
    (local $at i32) (local $row i32) (local $begin i32) (local $hash i32) (local $code i32) (local $slot i32) (local $key i32) (local $length i32)
    (local.set $at (local.get $letters))
    (block $done
      (loop $pieces
        (i32.store (i32.add (local.get $starts) (i32.shl (local.get $row) (i32.const 2)))
          (i32.shr_u (i32.sub (local.get $at) (local.get $letters)) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.eq (local.get $row) (local.get $rows)) (then (return (i32.add (local.get $rows) (i32.const 1)))))
        (local.set $begin (local.get $at))
        (local.set $hash (i32.const 0x811c9dc5))
        (block $read
          (loop $characters
            (local.set $code (i32.load16_u (local.get $at)))
            (br_if $read (i32.eq (local.get $code) (i32.const 10)))
            (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $code)) (i32.const 0x01000193)))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (br $characters)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))

        (local.set $slot (i32.and (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))) (local.get $lastSlot)))
        (loop $taken
          (if (i32.load (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2))))
            (then
              (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (local.get $lastSlot)))
              (br $taken))))
        (i32.store (i32.add (local.get $slots) (i32.shl (local.get $slot) (i32.const 2))) (local.get $row))

        ;; `##` and more
        (if (i32.and
            (i32.gt_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 4))
            (i32.eq (i32.load (local.get $begin)) (i32.const 0x00230023)))
          (then (local.set $begin (i32.add (local.get $begin) (i32.const 4)))))
        (local.set $length (i32.shr_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 1)))
        (local.set $key (i32.add (local.get $reach) (i32.and (i32.const 0xffff) (i32.add
          (i32.mul (i32.const 31) (i32.load16_u (local.get $begin)))
          (i32.load16_u offset=2 (local.get $begin))))))
        ;; A single letter is always tried.
        (if (i32.and
            (i32.gt_u (local.get $length) (i32.const 1))
            (i32.gt_u (local.get $length) (i32.load8_u (local.get $key))))
          (then (i32.store8 (local.get $key) (local.get $length))))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $pieces)))
    (local.get $row)))

;; Adds up weighted rows of a table of four-bit numbers. Printed into row-sums-module.ts by `npm run docs`.
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
      (br_if $scaled (i32.lt_u (local.get $to) (local.get $end))))))

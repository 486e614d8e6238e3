;; Adds up weighted rows of signed bytes, sixteen numbers at a time. Printed into row-sums-module.ts by `npm run docs`.
(module
  (memory (export "memory") 1)

  ;; Writes to `out`, as floats, the sum of `count` rows divided by its length; zeros where that is 0. An entry is where a row begins (i32) and its weight
  ;; (f32). `dimensions` is a multiple of 16.
  (func (export "unitSum") (param $entries i32) (param $count i32) (param $dimensions i32) (param $out i32)
    (local $end i32) (local $entry i32) (local $at i32) (local $to i32)
    (local $weight v128) (local $bytes v128) (local $half v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $squares v128) (local $length f32) (local $factor v128)

    (local.set $end (i32.add (local.get $entries) (i32.shl (local.get $count) (i32.const 3))))
    (loop $columns ;; sixteen of all rows, in $a to $d
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $entry (local.get $entries))
      (block $summed
        (loop $rows
          (br_if $summed (i32.eq (local.get $entry) (local.get $end)))
          (local.set $weight (v128.load32_splat offset=4 (local.get $entry)))
          (local.set $bytes (v128.load (i32.add (i32.load (local.get $entry)) (local.get $at))))
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
          (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
          (br $rows)))
      (local.set $to (i32.add (local.get $out) (i32.shl (local.get $at) (i32.const 2))))
      (v128.store (local.get $to) (local.get $a))
      (v128.store offset=16 (local.get $to) (local.get $b))
      (v128.store offset=32 (local.get $to) (local.get $c))
      (v128.store offset=48 (local.get $to) (local.get $d))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.add
        (f32x4.add (f32x4.mul (local.get $a) (local.get $a)) (f32x4.mul (local.get $b) (local.get $b)))
        (f32x4.add (f32x4.mul (local.get $c) (local.get $c)) (f32x4.mul (local.get $d) (local.get $d))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $at) (local.get $dimensions))))

    (local.set $length (f32.sqrt (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
      (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares))))))
    (if (f32.eq (local.get $length) (f32.const 0)) (then (return)))
    (local.set $factor (f32x4.splat (f32.div (f32.const 1) (local.get $length))))
    (local.set $to (local.get $out))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $dimensions) (i32.const 2))))
    (loop $scaled
      (v128.store (local.get $to) (f32x4.mul (local.get $factor) (v128.load (local.get $to))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $scaled (i32.lt_u (local.get $to) (local.get $end))))))

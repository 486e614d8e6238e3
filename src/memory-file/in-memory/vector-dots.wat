;; Dot products of signed bytes. Printed into vector-dots-module.ts by `npm run docs`.
(module
  (import "vectors" "memory" (memory 1 65536))

  ;; Writes to `out`, as i32, the dot product of the query with each of `count` vectors. A vector has `bytes` numbers, a multiple of 32, from -127 to 127.
  ;; The numbers of the query are 0 to 127, so that no sum of the relaxed instruction exceeds 16 bits, and every machine gives the same result.
  (func (export "dots") (param $query i32) (param $vectors i32) (param $bytes i32) (param $count i32) (param $out i32)
    (local $number i32) (local $end i32) (local $stop i32) (local $even v128) (local $odd v128)
    (local.set $stop (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (local.set $even (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (local.set $number (local.get $query))
      (local.set $end (i32.add (local.get $vectors) (local.get $bytes)))
      (loop $numbers
        (local.set $even (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load (local.get $vectors)) (v128.load (local.get $number)) (local.get $even)))
        (local.set $odd (i32x4.relaxed_dot_i8x16_i7x16_add_s
          (v128.load offset=16 (local.get $vectors)) (v128.load offset=16 (local.get $number)) (local.get $odd)))
        (local.set $number (i32.add (local.get $number) (i32.const 32)))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 32)))
        (br_if $numbers (i32.lt_u (local.get $vectors) (local.get $end))))
      (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
      (i32.store (local.get $out) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
        (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $out) (local.get $stop))))))

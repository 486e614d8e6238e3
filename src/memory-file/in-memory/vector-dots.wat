;; Cosines of vectors of signed bytes, and the search for high scores. Printed into vector-dots-module.ts by `npm run check -- --write`.
(module
  (import "vectors" "memory" (memory 1 65536))

  ;; Writes to `out`, as f32, the cosine of the query with each of the 1,024 vectors of a block. A vector has `bytes` numbers, a multiple of 32, from -127 to 127.
  ;; The numbers of the query are 0 to 127, so that no sum of the relaxed instruction exceeds 16 bits, and every machine gives the same result.
  ;; Behind the vectors are 1,024 dot products to subtract, as i32, and 1,024 scales, as f32. `scale` is the scale of the query.
  ;; Reads four parts of the block side by side: the processor fetches each ahead, and comparing takes a third of the time.
  (func (export "cosines") (param $query i32) (param $block i32) (param $bytes i32) (param $scale f32) (param $out i32)
    (local $stop i32) (local $end i32) (local $number i32) (local $numbers v128)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $dotsA v128) (local $dotsB v128) (local $dotsC v128) (local $dotsD v128)
    (local.set $a (local.get $block))
    (local.set $b (i32.add (local.get $a) (i32.shl (local.get $bytes) (i32.const 8))))
    (local.set $c (i32.add (local.get $b) (i32.shl (local.get $bytes) (i32.const 8))))
    (local.set $d (i32.add (local.get $c) (i32.shl (local.get $bytes) (i32.const 8))))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (local.set $stop (i32.add (local.get $out) (i32.const 1024)))
    (loop $next
      (local.set $dotsA (v128.const i32x4 0 0 0 0))
      (local.set $dotsB (v128.const i32x4 0 0 0 0))
      (local.set $dotsC (v128.const i32x4 0 0 0 0))
      (local.set $dotsD (v128.const i32x4 0 0 0 0))
      (local.set $number (local.get $query))
      (loop $more
        (local.set $numbers (v128.load (local.get $number)))
        (local.set $dotsA (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load (local.get $a)) (local.get $numbers) (local.get $dotsA)))
        (local.set $dotsB (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load (local.get $b)) (local.get $numbers) (local.get $dotsB)))
        (local.set $dotsC (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load (local.get $c)) (local.get $numbers) (local.get $dotsC)))
        (local.set $dotsD (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load (local.get $d)) (local.get $numbers) (local.get $dotsD)))
        (local.set $numbers (v128.load offset=16 (local.get $number)))
        (local.set $dotsA (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load offset=16 (local.get $a)) (local.get $numbers) (local.get $dotsA)))
        (local.set $dotsB (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load offset=16 (local.get $b)) (local.get $numbers) (local.get $dotsB)))
        (local.set $dotsC (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load offset=16 (local.get $c)) (local.get $numbers) (local.get $dotsC)))
        (local.set $dotsD (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load offset=16 (local.get $d)) (local.get $numbers) (local.get $dotsD)))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 32)))
        (local.set $c (i32.add (local.get $c) (i32.const 32)))
        (local.set $d (i32.add (local.get $d) (i32.const 32)))
        (br_if $more (i32.lt_u (local.tee $number (i32.add (local.get $number) (i32.const 32))) (local.get $end))))
      (i32.store (local.get $out) (call $sum (local.get $dotsA)))
      (i32.store offset=1024 (local.get $out) (call $sum (local.get $dotsB)))
      (i32.store offset=2048 (local.get $out) (call $sum (local.get $dotsC)))
      (i32.store offset=3072 (local.get $out) (call $sum (local.get $dotsD)))
      (br_if $next (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $stop))))
    ;; `d` is now the end of the vectors.
    (local.set $out (i32.sub (local.get $out) (i32.const 1024)))
    (local.set $stop (i32.add (local.get $out) (i32.const 4096)))
    (loop $scale
      (v128.store (local.get $out) (f32x4.mul (f32x4.splat (local.get $scale)) (f32x4.mul (v128.load offset=4096 (local.get $d))
        (f32x4.convert_i32x4_s (i32x4.sub (v128.load (local.get $out)) (v128.load (local.get $d)))))))
      (local.set $d (i32.add (local.get $d) (i32.const 16)))
      (br_if $scale (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 16))) (local.get $stop)))))

  (func $sum (param $dots v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $dots)) (i32x4.extract_lane 1 (local.get $dots)))
      (i32.add (i32x4.extract_lane 2 (local.get $dots)) (i32x4.extract_lane 3 (local.get $dots)))))

  ;; The dot product of a query of f32 with a vector of `bytes` numbers.
  (func (export "dot") (param $query i32) (param $vector i32) (param $bytes i32) (result f32)
    (local $stop i32) (local $numbers v128) (local $sum v128)
    (local.set $stop (i32.add (local.get $vector) (local.get $bytes)))
    (loop $more
      (local.set $numbers (v128.load8x8_s (local.get $vector)))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (v128.load (local.get $query)) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $numbers))))))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (v128.load offset=16 (local.get $query)) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $numbers))))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $more (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 8))) (local.get $stop))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))

  ;; Finds the places, 0 to 1,023, of the f32 above `least`. Writes them to `found`, as ascending i32, and returns how many.
  (func (export "above") (param $scores i32) (param $least f32) (param $found i32) (result i32)
    (local $place i32) (local $bits i32) (local $end i32)
    (local.set $end (local.get $found))
    (loop $next
      (local.set $bits (i32x4.bitmask (f32x4.gt (v128.load (i32.add (local.get $scores) (i32.shl (local.get $place) (i32.const 2)))) (f32x4.splat (local.get $least)))))
      (block $none (loop $bit
        (br_if $none (i32.eqz (local.get $bits)))
        (i32.store (local.get $end) (i32.add (local.get $place) (i32.ctz (local.get $bits))))
        (local.set $end (i32.add (local.get $end) (i32.const 4)))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br $bit)))
      (br_if $next (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 4))) (i32.const 1024))))
    (i32.shr_u (i32.sub (local.get $end) (local.get $found)) (i32.const 2))))

"""Makes the shipped table: the one for 40 languages, and in further dimensions the English one.

    python mix.py --multi FOLDER --dimensions 256 --english FOLDER --english-dimensions 128 --out FOLDER

FOLDER of --multi: static-multi-256.bin (version 2, written by pack.py) and vocab.txt.
FOLDER of --english: static-en.bin (written by english/pack.py) and vocab.txt.
Needs numpy and wordfreq 3.1.
"""
import argparse, collections, json, math, re, struct
import numpy as np, wordfreq
from norm import normalise, pieces_word, words

BLOCK = 32
# The rows of the English table are five times as long as those of the other.
ENGLISH_SCALE = .2
# In 1/16 of a bit: how much more frequent a piece is in English than in the mean of other languages, within 4 bits.
UNIT, MOST_BITS, NOISE = 16, 4, 2e-7
# The least mean of the pieces of an English text.
MIN_ENGLISHNESS = -8


def read_lines(path):
    return open(path, encoding='utf8').read().split('\n')[:-1]


def read_multi(folder, d):
    vocabulary = read_lines(f'{folder}/vocab.txt')
    data = open(f'{folder}/static-multi-{d}.bin', 'rb').read()
    n = len(vocabulary)
    scales = np.frombuffer(data, np.float16, n * d // BLOCK, 16).reshape(n, d // BLOCK)
    packed = np.frombuffer(data, np.uint8, n * d // 2, 16 + n * d // 16).reshape(n, d // 2)
    return vocabulary, scales, packed


def unpack(scales, packed):
    codes = np.empty((packed.shape[0], 2 * packed.shape[1]), np.float32)
    codes[:, 0::2] = (packed & 15).astype(np.float32) - 8
    codes[:, 1::2] = (packed >> 4).astype(np.float32) - 8
    return codes * np.repeat(scales.astype(np.float32), BLOCK, 1)


def quantize(rows):
    n, d = rows.shape
    blocks = rows.reshape(n, d // BLOCK, BLOCK)
    scales = (np.abs(blocks).max(2) / 7).astype(np.float16)
    safe = np.where(scales == 0, 1, scales).astype(np.float32)
    codes = np.clip(np.rint(blocks / safe[..., None]), -7, 7).reshape(n, d).astype(np.int8) + 8
    return scales, (codes[:, 0::2] | (codes[:, 1::2] << 4)).astype(np.uint8)


def read_english(folder, dimensions, vocabulary):
    """The row of an ASCII piece: the sum of the rows of its English pieces."""
    data = open(f'{folder}/static-en.bin', 'rb').read()
    n, d = struct.unpack_from('<II', data, 8)
    scale = np.frombuffer(data, np.float32, n, 16)
    own = np.frombuffer(data, np.int8, n * d, 16 + 4 * n).reshape(n, d)[:, :dimensions].astype(np.float32) * scale[:, None]
    place = {piece: row for row, piece in enumerate(read_lines(f'{folder}/vocab.txt'))}
    rows = np.zeros((len(vocabulary), dimensions), np.float32)
    for row, piece in enumerate(vocabulary):
        inside = len(piece) > 2 and piece.startswith('##')
        word = piece[2:] if inside else piece
        if not word.isascii(): continue
        found, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and ('##' if start or inside else '') + word[start:end] not in place: end -= 1
            if end == start: found = []; break
            found.append(place[('##' if start or inside else '') + word[start:end]]); start = end
        for one in found: rows[row] += own[one]
    return rows


def measure_englishness(vocabulary):
    """A signed byte for each piece; 0 without letters."""
    known = set(vocabulary)
    english, others = collections.Counter(), collections.Counter()
    languages = [language for language in wordfreq.available_languages('best') if language not in ('zh', 'ja')]
    for language in languages:
        counts = english if language == 'en' else others
        for word, share in sorted(wordfreq.get_frequency_dict(language).items(), key=lambda item: -item[1])[:30000]:
            # Words with letters that English lacks would count for their plain pieces.
            if language != 'en' and not normalise(word).isascii(): continue
            for part in words(word):
                for piece in pieces_word(part, known): counts[piece] += share
    def measure(piece):
        if not any(letter.isalpha() for letter in piece): return 0
        if not piece.isascii(): return -UNIT * MOST_BITS
        bits = math.log2((english[piece] + NOISE) / (others[piece] / (len(languages) - 1) + NOISE))
        return round(UNIT * max(-MOST_BITS, min(MOST_BITS, bits)))
    return np.array([measure(piece) for piece in vocabulary], np.int8)


def center(rows, vocabulary):
    """Rows without what the pieces of their languages have in common: else a question is nearest to the passages that
    are most typical of their language. The mean of a language is that of its pieces, by the power .75 of their frequency."""
    place = {piece: row for row, piece in enumerate(vocabulary)}
    languages = wordfreq.available_languages('best')
    shares = np.zeros((len(vocabulary), len(languages)), np.float32)
    for column, language in enumerate(languages):
        for word, share in sorted(wordfreq.get_frequency_dict(language).items(), key=lambda item: -item[1])[:30000]:
            for part in words(word):
                for piece in pieces_word(part, place): shares[place[piece], column] += share
    means = (shares ** .75).T @ rows
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    # A piece of no list belongs to the language with the nearest mean.
    unknown = np.flatnonzero(shares.sum(1) == 0)
    shares[unknown, (rows[unknown] @ means.T).argmax(1)] = 1
    shares /= shares.sum(1, keepdims=True)
    return rows - ((rows @ means.T) * shares) @ means


def embed(text, table):
    rows = [table['place'][piece] for word in words(text) for piece in pieces_word(word, table['place'])]
    vector = np.zeros(table['rows'].shape[1], np.float32)
    distinct, counts = np.unique(np.array(rows, np.int64), return_counts=True)
    if len(distinct): vector = (np.sqrt(counts)[:, None] * table['rows'][distinct]).sum(0)
    border = table['multi']
    if table['englishness'][distinct].sum() < MIN_ENGLISHNESS * len(distinct): vector[border:] = 0
    lengths = [np.linalg.norm(vector[:border]), np.linalg.norm(vector[border:])]
    # Both parts of an English text have the same length.
    if min(lengths) > 0: vector = np.concatenate([vector[:border] / lengths[0], vector[border:] / lengths[1]])
    return rows, vector / max(np.linalg.norm(vector), 1e-9)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    for name, kind in (('multi', str), ('dimensions', int), ('english', str), ('english-dimensions', int), ('out', str)):
        parser.add_argument(f'--{name}', type=kind, required=True)
    args = parser.parse_args()
    old, scales, packed = read_multi(args.multi, args.dimensions)
    known = {piece: row for row, piece in enumerate(old)}
    # English words that the vocabulary for all languages splits: their rows are the sums of their pieces.
    new = [p for p in read_lines(f'{args.english}/vocab.txt') if re.fullmatch('[a-z]{2,}', p) and p not in known]
    plain = unpack(scales, packed)
    sums = np.stack([sum(plain[known[piece]] for piece in pieces_word(word, known)) for word in new])
    import norm; norm._memo.clear()
    vocabulary = old + new
    multi_scales, multi_packed = quantize(center(np.concatenate([plain, sums]), vocabulary))
    english_scales, english_packed = quantize(ENGLISH_SCALE * read_english(args.english, args.english_dimensions, vocabulary))
    scales = np.concatenate([multi_scales, english_scales], 1)
    packed = np.concatenate([multi_packed, english_packed], 1)
    englishness = measure_englishness(vocabulary)
    n, d = len(vocabulary), args.dimensions + args.english_dimensions
    with open(f'{args.out}/static-multi.bin', 'wb') as file:
        file.write(b'SEMB' + struct.pack('<IIII', 3, n, d, args.english_dimensions) + englishness.tobytes())
        file.write(bytes(-n % 4) + scales.tobytes() + packed.tobytes())
    open(f'{args.out}/vocab.txt', 'w', encoding='utf8').write('\n'.join(vocabulary) + '\n')
    table = {'rows': unpack(scales, packed), 'place': {p: r for r, p in enumerate(vocabulary)}, 'multi': args.dimensions}
    table['englishness'] = englishness.astype(int)
    texts = [one['text'] for one in json.load(open(f'{args.multi}/vectors.json', encoding='utf8'))]
    made = []
    for text in texts:
        rows, vector = embed(text, table)
        made.append({'text': text, 'rows': rows, 'vector': [round(float(x), 5) for x in vector]})
    json.dump(made, open(f'{args.out}/vectors.json', 'w', encoding='utf8'), ensure_ascii=False)

import sys; sys.path.insert(0,'.'); exec(open('evaluate.py').read().split("if __name__")[0])
import wordfreq
v=open('lab/c3/vocab.txt').read().split('\n')[:-1]
isl=np.array([all(ord(c)<0x250 for c in p) for p in v])
enf=wordfreq.get_frequency_dict('en'); oth={}
for l in 'de fr es it pt nl sv da nb fi pl cs sk hu ro tr id vi ca sl sh lt lv ms'.split():
    for w,f in wordfreq.get_frequency_dict(l).items():
        for x in words(w): oth[x]=max(oth.get(x,0),f)
share=np.zeros(len(v),np.float32)
for i,p in enumerate(v):
    q=p[2:] if p.startswith('##') else p; e=enf.get(q,0); o=oth.get(q,0)
    share[i]=.5 if p.startswith('##') else (e/(e+o) if e+o>0 else (1. if isl[i] and q.isascii() else 0.))
share[~isl]=0
dig=np.array([bool(re.fullmatch(r'(##)?\d+',p)) for p in v])
np.savez_compressed('out/share.npz',share=share.astype(np.float16),isl=isl,dig=dig); print(share.mean(),dig.sum())

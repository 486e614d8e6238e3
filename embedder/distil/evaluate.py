import json,re,math,sys,numpy as np,glob,os
exec(open('lab/norm.py').read())
DEV='sets/relevance'; HELD='sets/held-out'
def load(d):
    c=[json.loads(x) for x in open(f'{d}/corpus.jsonl')]; q=[json.loads(x) for x in open(f'{d}/queries.jsonl')]; q=[x for x in q if x.get('category')!=5]
    qr={}
    for x in open(f'{d}/qrels.tsv').read().split('\n')[1:]:
        f=x.split('\t')
        if len(f)==3 and float(f[2])>0: qr.setdefault(f[0],{})[f[1]]=float(f[2])
    return c,[x for x in q if x['_id'] in qr],qr
class Multi:
    def __init__(s,rows,scales,vocab):
        s.W=rows.astype(np.float32)*scales[:,None]; s.V={p:i for i,p in enumerate(vocab)}; s.S=set(vocab); _memo.clear()
    def enc(s,texts):
        out=np.zeros((len(texts),s.W.shape[1]),np.float32)
        for i,t in enumerate(texts):
            p=[s.V[x] for x in pieces_of(t,s.S)]
            if p: u,c=np.unique(p,return_counts=True); out[i]=(np.sqrt(c)[:,None]*s.W[u]).sum(0)
        n=np.linalg.norm(out,axis=1,keepdims=True); return out/np.maximum(n,1e-9)
class En:
    def __init__(s):
        import struct
        b=open('english/static-en.bin','rb').read(); n,d=struct.unpack_from('<II',b,8); sc=np.frombuffer(b,np.float32,n,16); s.W=np.frombuffer(b,np.int8,n*d,16+4*n).reshape(n,d).astype(np.float32)*sc[:,None]
        v=open('english/vocab.txt').read().split('\n')[:-1]
        from tokenizers import Tokenizer,models,normalizers,pre_tokenizers
        s.V={p:i for i,p in enumerate(v)}; vv=dict(s.V); vv['[UNK]']=len(v)
        s.t=Tokenizer(models.WordPiece(vv,unk_token='[UNK]',max_input_chars_per_word=100)); s.t.normalizer=normalizers.BertNormalizer(); s.t.pre_tokenizer=pre_tokenizers.BertPreTokenizer(); s.unk=len(v)
    def enc(s,texts):
        out=np.zeros((len(texts),s.W.shape[1]),np.float32)
        for i,e in enumerate(s.t.encode_batch(texts)):
            p=[x for x in e.ids if x!=s.unk]
            if p: u,c=np.unique(p,return_counts=True); out[i]=(np.sqrt(c)[:,None]*s.W[u]).sum(0)
        n=np.linalg.norm(out,axis=1,keepdims=True); return out/np.maximum(n,1e-9)
def score(m,corp,quer):
    c,_,qr=corp; _,q,_=quer
    q=[x for x in q if x['_id'] in qr]
    wi=[];ws=[]
    for i,d in enumerate(c):
        for w in windows(((d.get('title') or '')+'. ' if d.get('title') else '')+d['text']): wi.append(i); ws.append(w)
    wi=np.array(wi); E=m.enc(ws); Q=m.enc([x['text'] for x in q]); grp=[d.get('group','') for d in c]; tot=0
    starts=np.concatenate([[0],np.nonzero(np.diff(wi))[0]+1])
    for r,x in enumerate(q):
        s=np.maximum.reduceat(E@Q[r],starts)
        if x.get('group'): s=np.where(np.array(grp)==x['group'],s,-9)
        top=np.argsort(-s,kind='stable')[:10]; rel=qr[x['_id']]; ideal=sum(g/math.log2(i+2) for i,g in enumerate(sorted(rel.values(),reverse=True)[:10]))
        tot+=sum(rel.get(c[j]['_id'],0)/math.log2(i+2) for i,j in enumerate(top))/ideal
    return tot/len(q)
if __name__=='__main__':
    ms={}
    if 'en' in sys.argv: ms['static-en']=En()
    for a in sys.argv[1:]:
        if a!='en': ms[a]=Multi(np.concatenate([np.load(a+'/rows0.npy'),np.load(a+'/rows1.npy')]),np.load(a+'/scales.npy'),open(a+'/vocab.txt').read().split('\n')[:-1])
    sets=[(DEV,s) for s in ('cranfield','cacm','covidqa','locomo','xquad-en','xquad-de','xquad-es','xquad-ru','xquad-zh')]+[(HELD,s) for s in ('cisi','nfcorpus','vaswani','squad-pt','xquad-ar','xquad-el','xquad-hi','xquad-ro','xquad-th','xquad-tr','xquad-vi')]
    L={s:load(d+'/'+s) for d,s in sets}
    for n,m in ms.items():
        print(n,' '.join(f'{s} {score(m,L[s],L[s]):.3f}' for _,s in sets),flush=True)
        for a,b in (('de','en'),('ru','en'),('zh','en'),('ar','en'),('tr','en'),('en','de'),('en','ru'),('en','hi'),('es','ru'),('vi','el')):
            print(f'  {a}>{b} {score(m,L["xquad-"+b],L["xquad-"+a]):.3f}',end='')
        print()

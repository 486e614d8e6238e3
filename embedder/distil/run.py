# What made the shipped tables, on one GPU: python run.py, with MODEL (teachers' weights), OUT and REL folders as in train.py.
import os; exec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'train.py')).read())
import struct
pr=df/df.sum(); z=np.load(HERE+'/share.npz'); share=z['share'].astype(np.float32); isl=z['isl']; dig=torch.tensor(z['dig'],device=dev)
def digits(W): W=W.clone(); W[dig]*=.1; return W
Wm=digits(train(epochs=10,hard=0.)*(1e-3/(1e-3+pr))[:,None]); log('table of all languages trained')
# the rows of the English embedder for these pieces
b=open('english/static-en.bin','rb').read(); n0,d0=struct.unpack_from('<II',b,8); s0=np.frombuffer(b,np.float32,n0,16); E0=np.frombuffer(b,np.int8,n0*d0,16+4*n0).reshape(n0,d0).astype(np.float32)*s0[:,None]
from tokenizers import models,normalizers,pre_tokenizers
v0=open('english/vocab.txt').read().split('\n')[:-1]; vv={p:i for i,p in enumerate(v0)}; vv['[UNK]']=len(v0)
bt=Tokenizer(models.WordPiece(vv,unk_token='[UNK]',max_input_chars_per_word=100)); bt.normalizer=normalizers.BertNormalizer(); bt.pre_tokenizer=pre_tokenizers.BertPreTokenizer()
EN=np.zeros((len(vocab),d0),np.float32); es=bt.encode_batch([p for p in vocab])
for i,p in enumerate(vocab):
    if not isl[i]: continue
    if p.startswith('##'):
        j=vv.get(p)
        if j is not None: EN[i]=E0[j]
    else:
        ids=[x for x in es[i].ids if x!=len(v0)]
        if ids: EN[i]=E0[ids].sum(0)
EN=torch.tensor(EN*np.minimum(1,share*1.6)[:,None]**.35).to(dev)
idx=okt[torch.randint(len(okt),(80000,),device=dev)]; tk,w,seg=gather(idx)
nm=embed(Wm,tk,w,seg,len(idx)).norm(dim=1).median(); ei=okt[ent[okt]][torch.randint(int(ent[okt].sum()),(20000,),device=dev)]; tk2,w2,seg2=gather(ei); ne=embed(EN,tk2,w2,seg2,len(ei)).norm(dim=1).median()
C=torch.cat([EN/ne*.5**.5,Wm/nm*.5**.5],1); evaluate(C,'side by side 512')
X=F.normalize(embed(C,tk,w,seg,len(idx))+1e-9,dim=1); lam,U=torch.linalg.eigh(X.T@X/len(X)); U=U.flip(1)
def finetune(W,epochs,B=4096,lr=4e-4,tau=.05,drop=.1,enshare=.4):
    W=torch.nn.Parameter(W.clone()); opt=torch.optim.Adam([W],lr=lr); steps=epochs*(len(okt)//B); okc=okt[ent[okt]]; s_=W.detach().norm(dim=1).mean()
    for s in range(steps):
        for gq in opt.param_groups: gq['lr']=lr*float(s_)*(1-s/steps)+1e-6
        ne_=int(B*enshare); i2=torch.cat([okt[torch.randint(len(okt),(B-ne_,),device=dev)],okc[torch.randint(len(okc),(ne_,),device=dev)]])
        tk,w,seg=gather(i2); T=F.normalize(embed(C,tk,w,seg,B)+1e-9,dim=1)
        keep=torch.rand(len(tk),device=dev)>drop; e=F.normalize(embed(W,tk[keep],w[keep],seg[keep],B)+1e-9,dim=1)
        dm=torch.eye(B,device=dev).bool(); ls=F.log_softmax((e@e.T/tau).masked_fill(dm,-1e4),1)
        St=F.softmax((T@T.T/tau).masked_fill(dm,-1e4),1)
        tt=Tt[i2]; Se=F.softmax((tt@tt.T/tau).masked_fill(dm,-1e4),1); en=ent[i2]
        l=F.kl_div(ls,St,reduction='batchmean')+(F.kl_div(ls,Se,reduction='none').sum(1)*torch.where(en,.3,1.)).mean()
        ee=e[en]; mm=MEg[i2[en]].float(); d2=torch.eye(len(ee),device=dev).bool(); l=l+F.kl_div(F.log_softmax((ee@ee.T/tau).masked_fill(d2,-1e4),1),F.softmax((mm@mm.T/tau).masked_fill(d2,-1e4),1),reduction='batchmean')
        opt.zero_grad(set_to_none=True); l.backward(); opt.step()
    return W.detach()
def pack(W):
    n,d=W.shape; x=W.view(n,d//32,32); sc=(x.abs().amax(2,keepdim=True)/7).half().float(); q=torch.round(x/sc.clamp(min=1e-9)).clamp(-7,7); q=q.view(n,d).to(torch.int8).cpu().numpy()
    return ((q[:,0::2]+8)|((q[:,1::2]+8)<<4)).astype(np.uint8),sc.squeeze(2).half().cpu().numpy()
for D2 in (384,256):
    W=finetune(C@U[:,:D2],4); evaluate(W,f'tuned {D2}'); p,s=pack(W); h=len(p)//2
    np.save(f'{OUT}/w{D2}a.npy',p[:h]); np.save(f'{OUT}/w{D2}b.npy',p[h:]); np.save(f'{OUT}/w{D2}s.npy',s)

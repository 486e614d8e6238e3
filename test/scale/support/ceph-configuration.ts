/** The loopback ports of a small cluster's daemons. */
export type CephPorts = { monitor: number; gateway: number }

/**
 * The configuration of a cluster with one monitor, one in-memory store and one S3 gateway. The
 * store has a single copy and few placement groups, and waits for no further node. By default the
 * monitor batches changes for a second, and early clients retry after five seconds.
 */
export function cephConfiguration(folder: string, clusterId: string, ports: CephPorts): string {
  return `[global]
fsid = ${clusterId}
mon initial members = a
mon host = [v2:127.0.0.1:${ports.monitor}]
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
keyring = ${folder}/keyring
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon max pg per osd = 1000
paxos propose interval = 0.05
paxos min wait = 0.01
objecter tick interval = 0.5
osd objectstore = memstore
memstore device bytes = 2147483648
osd class load list = *
osd class default list = *
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/log/$name.log
heartbeat file = /dev/null
mon data avail crit = 1
mon data avail warn = 2
rgw frontends = beast endpoint=127.0.0.1:${ports.gateway} tcp_nodelay=1
rgw gc max objs = 1
rgw thread pool size = 64
rgw enable usage log = false
rgw run sync thread = false
rgw data log num shards = 1
rgw md log max shards = 1
[mon.a]
public addr = v2:127.0.0.1:${ports.monitor}
host = localhost
mon data = ${folder}/mon
[osd.0]
host = localhost
osd data = ${folder}/osd
[client.rgw.0]
rgw data = ${folder}/rgw
`
}

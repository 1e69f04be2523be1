/**
 * A separate host behind a cable that can be cut or made to lose packets: a network namespace, a
 * veth pair, and nft rules in the namespace. A process there dials the router at its own loopback
 * address, as agents do without TLS, and the namespace forwards the connection over the cable.
 */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { atExit } from './leftovers.ts';
import { Skipped } from './scene.ts';

const run = promisify(execFile);
/** This port is free at the far end, because nobody else listens there. */
const PORT = 18_080;
const LINKS_MAX = 64;

export class FarHost implements AsyncDisposable {
  static #count = 0;
  readonly #name: string;
  readonly #cable: string;
  /** This machine's address on the cable, where the router must listen too. */
  readonly near: string;
  readonly #calledOff: () => void;

  private constructor(name: string, cable: string, near: string) {
    this.#name = name;
    this.#cable = cable;
    this.near = near;
    this.#calledOff = atExit(() => {
      execFileSync('ip', ['netns', 'delete', name]);
      execFileSync('ip', ['link', 'delete', cable]);
    });
  }

  /** Throws Skipped if this user may not create networks, or if nft is missing. */
  static async plug(): Promise<FarHost> {
    const nth = FarHost.#count++ % LINKS_MAX;
    const name = `penstock-${process.pid}-${nth}`;
    // Takes a /30 network of 10.213.0.0/16, chosen by process id and host number.
    const net = ((process.pid % 256) * LINKS_MAX + nth) * 4;
    const address = (host: number) => `10.213.${(net + host) >> 8}.${(net + host) & 255}`;
    const cable = `pk${process.pid.toString(36)}x${nth}`;
    const host = new FarHost(name, cable, address(1));
    try {
      await run('ip', ['netns', 'add', name]);
      await host.#lay(address(2));
    } catch (error) {
      await host[Symbol.asyncDispose]();
      const why = 'a network namespace cannot be made here: that takes root, iproute2 and nftables';
      throw new Skipped(why, { cause: error });
    }
    return host;
  }

  get listener() {
    return { host: this.near, port: PORT, region: 'global' } as const;
  }

  /** The router's URL for processes on the far host. */
  get routerUrl(): string {
    return `ws://127.0.0.1:${PORT}/agent`;
  }

  /** The command prefix that runs a process on the far host. */
  get prefix(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  /** From now on loses one packet in `oneIn` in each direction: 1 loses all, 0 none. */
  async lose(oneIn: number): Promise<void> {
    const rule = oneIn === 0 ? '' : `numgen random mod ${oneIn} == 0 drop\n`;
    await this.#nft(
      `table inet loss\nflush table inet loss\ntable inet loss {
        chain arrive { type filter hook input priority 0\n iifname "far" ${rule || 'accept\n'} }
        chain leave { type filter hook output priority 300\n oifname "far" ${rule || 'accept\n'} }
      }`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#calledOff();
    await run('ip', ['netns', 'delete', this.#name]).catch(() => {});
    // Sockets with unanswered packets would keep the namespace, and the cable in it, alive for
    // minutes.
    await run('ip', ['link', 'delete', this.#cable]).catch(() => {});
  }

  async #lay(far: string): Promise<void> {
    const name = this.#name;
    const near = this.#cable;
    const ip = (...args: string[]) => run('ip', args);
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', 'far', 'netns', name);
    await ip('address', 'add', `${this.near}/30`, 'dev', near);
    // Disables segmentation offload, so that packets have their real size and each is lost on its
    // own.
    await ip('link', 'set', near, 'gso_max_segs', '1', 'up');
    await ip('-n', name, 'address', 'add', `${far}/30`, 'dev', 'far');
    await ip('-n', name, 'link', 'set', 'far', 'gso_max_segs', '1', 'up');
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    // Allows packets for the loopback address to leave the namespace.
    const allow = 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet';
    await run('ip', [...this.prefix.slice(1), 'sh', '-c', allow]);
    await this.#nft(`table ip to_router {
      chain out { type nat hook output priority -100\n ip daddr 127.0.0.1 tcp dport ${PORT} dnat to ${this.near}\n }
      chain post { type nat hook postrouting priority 100\n ip daddr ${this.near} masquerade\n }
    }`);
  }

  async #nft(rules: string): Promise<void> {
    const child = run('ip', [...this.prefix.slice(1), 'nft', '-f', '-']);
    child.child.stdin?.end(rules);
    await child;
  }
}

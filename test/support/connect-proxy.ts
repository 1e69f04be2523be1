/** An egress proxy for tests: CONNECT over HTTP, with credentials, or with a fault. */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export const CREDENTIALS = { user: 'egress', password: 'p@ss-word' } as const;
const EXPECTED = `Basic ${Buffer.from(`${CREDENTIALS.user}:${CREDENTIALS.password}`).toString('base64')}`;

/** Answers a CONNECT in place of the proxy. */
export type Fault = (socket: Duplex) => void;

export class ConnectProxy implements AsyncDisposable {
  /** The authorities of all requests: those of CONNECT, and the URLs of any other request. */
  readonly requests: string[] = [];
  /** The first bytes that went through each tunnel towards the router. */
  readonly first: Buffer[] = [];
  readonly #server = createServer((request, response) => {
    this.requests.push(request.url ?? '');
    response.writeHead(405).end();
  });
  readonly #sockets = new Set<Duplex>();
  fault: Fault | null = null;

  private constructor() {
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('connect', (request, socket) => this.#connect(request, socket));
  }

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The URL with the credentials. */
  get url(): string {
    const { user, password } = CREDENTIALS;
    return `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}`;
  }

  get bareUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Open connections, of agents and to routers. */
  get connections(): number {
    return this.#sockets.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect({ url = '', headers }: IncomingMessage, socket: Duplex): void {
    this.requests.push(url);
    // A socket that is not read does not notice that it is closed.
    if (this.fault) return this.fault(socket.resume().on('end', () => socket.destroy()));
    if (headers['proxy-authorization'] !== EXPECTED) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    const { hostname, port } = new URL(`http://${url}`);
    const router = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.once('data', (bytes: Buffer) => this.first.push(bytes));
      socket.pipe(router).pipe(socket);
    });
    this.#keep(router);
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

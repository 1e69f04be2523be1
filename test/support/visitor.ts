/**
 * A person who uses the management API from a browser: keeps cookies and sends the page's origin.
 */

export type Told = Readonly<{
  status: number;
  headers: Headers;
  text: string;
  // `any`, because each test states the shape of the answer that it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}>;

export class Visitor {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  get(path: string): Promise<Told> {
    return this.ask('GET', path);
  }

  post(path: string, body: object = {}): Promise<Told> {
    return this.ask('POST', path, body);
  }

  /** Calls the management API. */
  ask(method: string, path: string, body?: object): Promise<Told> {
    return this.#send(`${this.#origin}/api/v1${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  }

  /** Opens a page, by its path on this origin or by its full URL. */
  open(url: string): Promise<Told> {
    return this.#send(new URL(url, this.#origin).href, { method: 'GET' });
  }

  /** Fills in the first form of a page and submits it. Hidden fields are sent unchanged. */
  async submit(page: Told, at: string, fields: Readonly<Record<string, string>>): Promise<Told> {
    const form = /<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page.text);
    if (!form) throw new Error(`no form in ${page.text}`);
    const [, action = '', inside = ''] = form;
    const hidden = [...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
      /name="([^"]*)"/.exec(tag)?.[1] ?? '',
      /value="([^"]*)"/.exec(tag)?.[1] ?? '',
    ]);
    return this.#send(new URL(action, at).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }).toString(),
    });
  }

  async #send(url: string, init: RequestInit): Promise<Told> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...(cookie !== '' && { cookie }),
        ...(init.method !== 'GET' && { origin: this.#origin }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/Max-Age=0(;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  }
}

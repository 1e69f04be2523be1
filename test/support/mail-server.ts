/** A mail server for tests. */
import { SMTPServer } from 'smtp-server';

export type Received = Readonly<{
  from: string;
  to: readonly string[];
  /** The message as received: headers, an empty line, the body. */
  raw: string;
  /** The token of the link in the body, or '' if there is none. */
  token: string;
}>;

/** Notes what it gets, or rejects it with the next of the `refusals`. It does not listen yet. */
export function startMailServer(received: Received[], refusals: string[] = []): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const refusal = refusals.shift();
        if (refusal !== undefined) return done(new Error(refusal));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          token: tokenIn(raw),
        });
        done();
      });
    },
  });
}

/** Undoes the quoted-printable encoding that wraps long lines. */
export function readable(raw: string): string {
  return raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}

function tokenIn(raw: string): string {
  return /#token=(penstock-link-\w{40})/.exec(readable(raw))?.[1] ?? '';
}

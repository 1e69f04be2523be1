/** How letters leave: by SMTP, or else into the log, for the operator to pass on. */
import { createTransport } from 'nodemailer';
import type { Log } from '../../../shared/log.ts';

export type MailConfig = Readonly<{ smtp: string; from: string }>;

export type Mail = Readonly<{
  /** The same for every attempt to send one letter, so that a reader shows one. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The link in the text. */
  link: string | null;
}>;

export interface Transport extends Disposable {
  /** Throws what names no recipient and quotes no letter. */
  send(mail: Mail): Promise<void>;
}

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 30_000;

export function openTransport(config: MailConfig | undefined, log: Log): Transport {
  return config ? openSmtp(config) : logTransport(log);
}

function openSmtp({ smtp, from }: MailConfig): Transport {
  const transport = createTransport({
    url: smtp,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // A letter is text that is ours: nothing in it is fetched or read from anywhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(smtp).hostname;
  return {
    async send({ id, to, subject, text }) {
      const mail = {
        from,
        // As an object: it is one address, whatever it has in it.
        to: { name: '', address: to },
        subject: oneLine(subject),
        text,
        messageId: `<${id}@${host}>`,
      };
      const fault = await transport.sendMail(mail).then(() => null, faultOf);
      if (fault !== null) throw new Error(`the mail server took no letter: ${fault}`);
    },
    [Symbol.dispose]: () => transport.close(),
  };
}

/** Its codes alone: a server's own words may quote the letter, link and all. */
function faultOf(error: { code?: string; responseCode?: number }): string {
  const { code = 'unknown', responseCode = '' } = error;
  return `${code} ${responseCode}`.trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** The one place where a link is logged: without SMTP nobody else could hand it over. */
function logTransport(log: Log): Transport {
  return {
    async send({ to, subject, link }) {
      log.warn({ to, subject, ...(link !== null && { link }) }, 'letter');
    },
    [Symbol.dispose]: () => undefined,
  };
}

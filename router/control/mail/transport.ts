/** Sends emails by SMTP. Without SMTP, writes them to the log for the operator to pass on. */
import type { Log } from '../../../shared/log.ts';
import { JobFault } from '../../jobs/faults.ts';

export type MailConfig = Readonly<{ smtp: string; from: string }>;

export type Mail = Readonly<{
  /** The same for every attempt to send one email, so that mail clients show duplicates once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The link in the text. */
  link: string | null;
  /** Where the recipient ends emails of this kind; if absent, they cannot be ended. */
  unsubscribe?: string | undefined;
}>;

export interface Transport extends Disposable {
  /**
   * Throws when the email was not accepted. The error contains neither the recipient nor any text
   * of the email.
   */
  send(mail: Mail): Promise<void>;
}

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 30_000;

export async function openTransport(config: MailConfig | undefined, log: Log): Promise<Transport> {
  return config ? await openSmtp(config) : logTransport(log);
}

async function openSmtp({ smtp, from }: MailConfig): Promise<Transport> {
  // Imported on demand, because the module is large and only SMTP needs it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtp,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // The email's text is our own, and must not cause any file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(smtp).hostname;
  return {
    async send({ id, to, subject, text, unsubscribe }) {
      const mail = {
        from,
        // An object is treated as one address, whatever it contains.
        to: { name: '', address: to },
        subject: oneLine(subject),
        text,
        messageId: `<${id}@${host}>`,
        ...(unsubscribe !== undefined && { headers: unsubscribeHeaders(unsubscribe) }),
      };
      const fault = await transport.sendMail(mail).then(() => null, faultOf);
      if (fault !== null) throw new JobFault('mail_refused', fault);
    },
    [Symbol.dispose]: () => transport.close(),
  };
}

/** So that mail programs offer a button that ends the emails (RFC 8058, which requires HTTPS). */
function unsubscribeHeaders(url: string): Record<string, string> {
  const isOneClick = url.startsWith('https:');
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(isOneClick && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** Returns only the error's codes: the server's own message may quote the email with its link. */
function faultOf(error: { code?: string; responseCode?: number }): string {
  const { code = 'unknown', responseCode = '' } = error;
  return `${code} ${responseCode}`.trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** The only place where a link is logged: without SMTP, only the operator can pass it on. */
export function logTransport(log: Log): Transport {
  return {
    async send({ to, subject, link }) {
      log.warn(
        { to, subject, ...(link !== null && { link }) },
        'email was logged because SMTP is not configured',
      );
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** Certificates that sign themselves, made with openssl. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type CertificateFiles = Readonly<{ cert: string; key: string }>;

/** Makes a certificate and its key, as `NAME.crt` and `NAME.key`. It is for loopback by default. */
export async function makeCertificate(
  folder: string,
  name: string,
  { days = 2, address = 'IP:127.0.0.1' } = {},
): Promise<CertificateFiles> {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const named = ['-days', `${days}`, '-subj', `/CN=${name}`];
  const places = ['-addext', `subjectAltName=${address}`, '-keyout', key, '-out', cert];
  await promisify(execFile)('openssl', [...made, ...named, ...places]);
  return { cert, key };
}

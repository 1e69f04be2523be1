/** The certificates of a router's listeners. */
import { DAY_MS } from '../../shared/durations.ts';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { RouterConfig } from '../../router/config.ts';
import { readTls } from '../../router/tls.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const DAYS_LEFT_MIN = 14;

/** Leaves out certificates that cannot be read, which the check of the files reports. */
export async function certificateFindings(
  { listeners, advertise }: RouterConfig,
  clock: Clock,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const certificates: X509Certificate[] = [];
  for (const { tls } of listeners) {
    const pair = tls && (await readTls(tls).catch(() => null));
    if (!tls || !pair) continue;
    const certificate = new X509Certificate(pair.cert);
    certificates.push(certificate);
    findings.push(validity(tls.cert, certificate, clock.now()));
  }
  if (certificates.length > 0 && advertise?.startsWith('wss:')) {
    findings.push(coverage(certificates, new URL(advertise).hostname));
  }
  return findings;
}

function validity(file: string, { validFrom, validTo }: X509Certificate, now: number): Finding {
  const check = `certificate: ${file}`;
  const advice = 'Replace the certificate and its key. A router that runs reads them again.';
  if (Date.parse(validFrom) > now)
    return fault(check, `it is not valid before ${validFrom}`, advice);
  const left = Date.parse(validTo) - now;
  if (left <= 0) return fault(check, `it expired on ${validTo}`, advice);
  if (left < DAYS_LEFT_MIN * DAY_MS) return warning(check, `it expires on ${validTo}`, advice);
  return ok(check, `it fits its key, and is valid until ${validTo}`);
}

function coverage(certificates: readonly X509Certificate[], hostname: string): Finding {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const covers = (one: X509Certificate) =>
    (isIP(host) === 0 ? one.checkHost(host) : one.checkIP(host)) !== undefined;
  if (certificates.some(covers)) return ok('certificate: names', `it names ${host} of advertise`);
  return warning(
    'certificate: names',
    `no certificate of a listener names ${host}, the host of advertise`,
    'Add the name to the certificate, unless a proxy terminates TLS or the agents pin the key.',
  );
}

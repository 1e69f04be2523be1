/** Sets up the audit of hosts' reports: the auditor, the canaries, their alarms and metrics. */
import { Counter, type Registry } from 'prom-client';
import { Alarms } from './alarms.ts';
import { type AuditConfig, Auditor, type AuditorParts } from './auditor.ts';
import { Canaries, type CanaryParts } from './canaries.ts';

export type OpenAudit = Disposable & Readonly<{ alarms: Alarms; auditor: Auditor }>;

export function openAudit(
  config: AuditConfig & Readonly<{ canaryEveryS: number | null }>,
  parts: Omit<AuditorParts & CanaryParts, 'alarms'> & Readonly<{ metrics: Registry }>,
): OpenAudit {
  const alarms = new Alarms(parts);
  watchAlarms(parts.metrics, alarms);
  const { canaryEveryS } = config;
  const canaries =
    canaryEveryS === null ? null : new Canaries(canaryEveryS * 1000, { ...parts, alarms });
  return {
    alarms,
    auditor: new Auditor(config, { ...parts, alarms }),
    [Symbol.dispose]: () => canaries?.[Symbol.dispose](),
  };
}

function watchAlarms(registry: Registry, alarms: Alarms): void {
  new Counter({
    name: 'penstock_router_agent_alarms_total',
    help: "Alarms: a host's counts do not fit its answers. An alarm is a reason to investigate, not a proof.",
    labelNames: ['worker', 'kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { worker, kind, count } of alarms.all()) this.inc({ worker, kind }, count);
    },
  });
  new Counter({
    name: 'penstock_router_audits_total',
    help: 'Audited answers, by the way in which they were checked.',
    labelNames: ['how'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [how, count] of Object.entries(alarms.audits)) this.inc({ how }, count);
    },
  });
}

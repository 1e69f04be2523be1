/** `penstock admin audit …` */
import { z } from 'zod';
import { AuditEntry } from '../../shared/api/audit.ts';
import { command } from './command.ts';
import { organization } from './flags.ts';

const word = z.string().min(1, 'is empty').optional();

export const audit = {
  list: command(
    { organization: organization.optional(), actor: word, action: word },
    async ({ client, list }, { organization: owner, actor, action }) => {
      const filters = { organization: owner, actor, action };
      await list(client.pages('/audit', AuditEntry, filters), row);
    },
  ),
};

function row({ created, summary, action, organization_name: owner, address }: AuditEntry) {
  return { created, summary, organization: owner, address, action };
}

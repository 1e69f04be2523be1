/** `penstock admin audit …` */
import { AuditEntry, WholeAuditQuery } from '../../shared/api/audit.ts';
import { command } from './command.ts';
import { organization } from './flags.ts';

const { actor: actors, action: actions, except: exceptions, target } = WholeAuditQuery.shape;

export const audit = {
  list: command(
    {
      organization: organization.optional(),
      actor: actors,
      action: actions,
      except: exceptions,
      target,
    },
    async ({ client, list }, { organization: owner, actor, action, except, target: about }) => {
      const filters = { organization: owner, actor, action, except, target: about };
      await list(client.pages('/audit', AuditEntry, filters), row);
    },
  ),
};

function row({ created, summary, action, organization_name: owner, address }: AuditEntry) {
  return { created, summary, organization: owner, address, action };
}

import { copyIncidentLetter } from '../../../router/control/mail/incident-letters.ts';
import type { Procedure } from '../../../router/store/procedure.ts';

type Input = Parameters<typeof copyIncidentLetter.run>[1];

/** Queues a batch of emails about an incident, and returns with how many statements. */
export const countCopyStatements: Procedure<Input, number> = {
  name: 'countCopyStatements',
  access: 'write',
  async run(db, input) {
    let statements = 0;
    const counted = db.withPlugin({
      transformQuery({ node }) {
        statements++;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await copyIncidentLetter.run(counted, input);
    return statements;
  },
};

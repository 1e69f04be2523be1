/** The commands of `penstock admin operator`, in the same format as the table in `commands.ts`. */

export const OPERATOR = {
  create: {
    does: 'create an operator; the password and the token are shown only once',
    flags: ['email', 'name'],
    load: async () => (await import('./operator.ts')).createOperator,
  },
  list: {
    does: 'list the operators of the platform',
    flags: [],
    load: async () => (await import('./operator.ts')).listOperators,
  },
  revoke: {
    does: 'revoke the operator role of a person',
    flags: ['person'],
    load: async () => (await import('./operator.ts')).revokeOperator,
  },
  'rotate-token': {
    does: "replace an operator's token; the new one is shown only once",
    flags: ['person'],
    load: async () => (await import('./operator.ts')).rotateOperatorToken,
  },
} as const;

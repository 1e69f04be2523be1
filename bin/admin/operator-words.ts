/** The commands of `penstock admin operator`, in the same form as the table in `commands.ts`. */

export const OPERATOR = {
  create: {
    does: 'make an operator; the password and the token are shown this once',
    flags: ['email', 'name'],
    load: async () => (await import('./operator.ts')).createOperator,
  },
  list: {
    does: 'the operators of the platform',
    flags: [],
    load: async () => (await import('./operator.ts')).listOperators,
  },
  revoke: {
    does: 'make somebody an operator no more',
    flags: ['person'],
    load: async () => (await import('./operator.ts')).revokeOperator,
  },
  'rotate-token': {
    does: "replace an operator's token; the new one is shown this once",
    flags: ['person'],
    load: async () => (await import('./operator.ts')).rotateOperatorToken,
  },
} as const;

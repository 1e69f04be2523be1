/** The programs whose commands stand in the runbooks, and the statements of SQL. */
const COMMAND =
  /^(?:penstock|curl|psql|kill|pg_test_fsync|timedatectl|nvidia-smi|select|bin\/penstock)(?=\s|$)/;

/** Whether a piece of code is something to run, and not a name or a value. */
export function isCommand(code: string): boolean {
  return COMMAND.test(code) && code !== 'penstock';
}

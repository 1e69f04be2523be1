/**
 * An error in the configuration or the command line. The process exits with status 2 and prints
 * only the message.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

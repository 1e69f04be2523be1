/**
 * Returns an address with only the first character before the @, such as `a•••@example.com`. Its
 * owner recognizes it, and nobody else can write to it.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}•••${email.slice(at)}`;
}

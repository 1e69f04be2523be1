/**
 * Returns the first character of an address, and the end of its domain, such as `a•••@•••.com`. Its
 * owner recognizes it; nobody else learns the address or whose domain it is.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}•••@•••${email.slice(Math.max(at + 1, email.lastIndexOf('.')))}`;
}

/** "payment of $20" → "Payment of $20" */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

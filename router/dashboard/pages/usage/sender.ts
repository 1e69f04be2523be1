/** What a request was sent with. */
type Sent = Readonly<{
  /** Refused requests have no source. */
  source?: 'api' | 'playground';
  key_id: string;
  key_name: string | null;
}>;

/**
 * The name of the key, or of the playground: the keys of its sessions have no names that people
 * know, and no pages.
 */
export function senderOf({ source, key_id, key_name }: Sent): string {
  return source === 'playground' ? 'Playground' : (key_name ?? key_id);
}

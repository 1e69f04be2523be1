/**
 * The setting `operator`: where customers reach the operator and read the terms. The dashboard, the
 * checkout and the printed documents link to these addresses, so each is checked: browsers would run
 * a `javascript:` URL.
 */
import { z } from 'zod';
import { isLoopback } from '../../shared/wire/link-url.ts';

const ADDRESS_CHARS_MAX = 2_048;
const MAIL_CHARS_MAX = 320;
const WHOLE_URL = /^https?:\/\/[^\s\p{Cc}]+$/iu;

const PageUrl = z
  .string()
  .max(ADDRESS_CHARS_MAX)
  .superRefine((text, context) => {
    const message = pageUrlFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

const Contact = z
  .string()
  .max(ADDRESS_CHARS_MAX)
  .superRefine((text, context) => {
    if (text.length <= MAIL_CHARS_MAX && z.email().safeParse(text).success) return;
    if (pageUrlFault(text) === null) return;
    const message =
      'must be a mail address such as support@example.com, or a URL that begins with https:// and has no credentials';
    context.addIssue({ code: 'custom', message });
  });

export const OperatorSetting = z.strictObject({
  /** Where customers get help: a mail address or the URL of a page. */
  contact: Contact.optional(),
  /** The URL of the terms of service. */
  terms: PageUrl.optional(),
  /** The URL of the privacy policy. */
  privacy: PageUrl.optional(),
});
export type OperatorSetting = Readonly<z.infer<typeof OperatorSetting>>;

/** Returns why customers cannot be sent to this address, or null if they can. */
function pageUrlFault(text: string): string | null {
  // Without both slashes, browsers take it for a path of this service.
  const url = WHOLE_URL.test(text) ? URL.parse(text) : null;
  if (!url) {
    return 'must be a URL such as https://example.com/terms';
  }
  if (url.username || url.password) return 'must not contain credentials: everybody may read it';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must begin with https:// unless the page is on this machine';
  }
  return null;
}

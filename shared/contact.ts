/** How a person reaches the operator of the service: by mail, or on a page. */

/** The address of a link to a contact, which is a mail address or an https URL. */
export function contactHref(contact: string): string {
  return contact.includes('@') && !contact.includes('://') ? `mailto:${contact}` : contact;
}

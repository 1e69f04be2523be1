/** People in the management API: sign-up, sign-in, profiles, sessions and second factors. */
import { z } from 'zod';
import type { PersonId } from '../ids.ts';
import { OPERATOR_ROLES } from '../operator-roles.ts';
import { Region } from '../region-schema.ts';
import { count, instant, Name, Reason, Search, usd } from './fields.ts';
import { FOREIGN_CURSOR, page, pageQuery, refuseOtherSort, sortedCursor } from './pages.ts';
import { Role } from './roles.ts';

export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 128;

/** Normalized as it is stored, so that one address has one spelling. */
export const Email = z
  .string()
  .trim()
  .normalize('NFC')
  .toLowerCase()
  .max(254, 'Enter at most 254 characters.')
  .pipe(z.email('Enter an email address, such as ada@example.com.'))
  .meta({ examples: ['ada@example.com'] });

export const NewPassword = z
  .string()
  .normalize('NFKC')
  .min(PASSWORD_CHARS_MIN, `Enter at least ${PASSWORD_CHARS_MIN} characters.`)
  .max(PASSWORD_CHARS_MAX, `Enter at most ${PASSWORD_CHARS_MAX} characters.`)
  .describe(
    '12 to 128 characters of any kind. The most common passwords and your own name are refused.',
  )
  .meta({ examples: ['three blue herons at dawn'] });

/** A password that was chosen before. Only its length is checked, to bound the work. */
export const Password = z
  .string()
  .normalize('NFKC')
  .min(1)
  .max(1_024)
  .meta({ examples: ['three blue herons at dawn'] });

export const LinkToken = z
  .string()
  .max(100)
  .describe('The text after `#token=` in the link.')
  .meta({ examples: [`penstock-link-${'0'.repeat(40)}`] });

/** An authenticator's six digits, or a recovery code. */
const Code = z
  .string()
  .trim()
  .max(32)
  .describe("The authenticator's six digits, or a recovery code.")
  .meta({ examples: ['123456'] });

export const SignUp = z.strictObject({
  email: Email,
  password: NewPassword,
  name: Name.meta({ examples: ['Ada Lovelace'] }),
  organization: Name.optional()
    .describe("The new organization's name. Default: `<name of the person>'s organization`.")
    .meta({ examples: ['Analytical Engines'] }),
  invitation: LinkToken.optional().describe(
    'The token of an invitation. The person joins its organization, and no organization is created.',
  ),
});

export const SignIn = z.strictObject({
  email: Email,
  password: Password,
  code: Code.optional(),
});

const membership = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  role: Role,
  /** The person's member id there, to which usage and keys are attributed. */
  member: z.string(),
  welcome_credit: usd
    .nullable()
    .describe(
      'The credit that the organization gets when you confirm your email, unless your address has ' +
        'had it before or too many of your network got it that day. Null when none is to come.',
    ),
});

/** Emails about an organization's money that a person may switch off for themselves. */
export const OPTIONAL_EMAILS = ['low-balance', 'budget', 'receipt'] as const;
export const OptionalEmail = z.enum(OPTIONAL_EMAILS);
export type OptionalEmail = z.infer<typeof OptionalEmail>;

/** The emails about incidents that a person has chosen. */
export const INCIDENT_EMAILS = ['none', 'all'] as const;
export const IncidentEmails = z.enum(INCIDENT_EMAILS);
export type IncidentEmails = z.infer<typeof IncidentEmails>;

export const Me = z.object({
  id: z.string(),
  email: z.string(),
  email_confirmed: z.boolean(),
  name: z.string(),
  /** Whether the person is an operator of the platform. */
  operator: z.boolean(),
  operator_role: z
    .enum(OPERATOR_ROLES)
    .nullable()
    .optional()
    .describe(
      'What you may do as an operator. Null for everybody else. Absent when a router of an earlier version answers.',
    ),
  /** Whether signing in requires a code. */
  second_factor: z.boolean(),
  organizations: z.array(membership),
  muted_emails: z
    .array(OptionalEmail)
    .optional()
    .describe(
      'The emails about the balance, the budget and receipts that you have switched off. All others are always sent. Absent when a router of an earlier version answers.',
    ),
  incident_emails: IncidentEmails.optional().describe(
    'Whether you get an email for each update of an incident: `all` or `none`. They are sent only to a confirmed address. Absent when a router of an earlier version answers.',
  ),
  created: instant,
});
export type Me = z.infer<typeof Me>;

/** Only the fields that are given change. */
export const MeChange = z.strictObject({
  name: Name.optional(),
  muted_emails: z
    .array(OptionalEmail)
    .max(OPTIONAL_EMAILS.length)
    .optional()
    .describe('The emails to switch off. All others are switched on.')
    .meta({ examples: [['receipt']] }),
  incident_emails: IncidentEmails.optional()
    .describe(
      '`all`: you get an email for each update of an incident on the status page. `none`: you get none.',
    )
    .meta({ examples: ['all'] }),
});
export type MeChange = z.infer<typeof MeChange>;
export const PasswordChange = z.strictObject({ current: Password, password: NewPassword });
export const EmailChange = z.strictObject({ email: Email, password: Password });
export const PasswordProof = z.strictObject({ password: Password });

export const ResetRequest = z.strictObject({ email: Email });
export const Reset = z.strictObject({ token: LinkToken, password: NewPassword });
export const EmailConfirmation = z.strictObject({ token: LinkToken });

/** The response when there is nothing to return. */
export const Done = z.object({ done: z.literal(true) });

export const EmailConfirmed = Done.extend({
  email: z
    .string()
    .optional()
    .describe('The confirmed address. Absent when a router of an earlier version answers.'),
  confirmed: z
    .enum(['now', 'before'])
    .optional()
    .describe(
      '`before` if the link was used before, and the address is still confirmed. Absent when a ' +
        'router of an earlier version answers.',
    ),
  password_cleared: z
    .boolean()
    .optional()
    .describe(
      'Whether the first proof of the address was made without a session of the account, and ' +
        'cleared its password. An email lets the owner of the address set one. A link that was used ' +
        'before tells so until a password is set. Absent when a router of an earlier version answers.',
    ),
  welcome_credit: usd
    .nullable()
    .describe('The welcome credit that the organization has got now. Null when it got none.'),
});

export const Session = z.object({
  id: z.string(),
  /** Whether this session made the request. */
  current: z.boolean(),
  address: z.string(),
  /** The name that the session's browser reports. */
  client: z.string(),
  created: instant,
  last_seen: instant,
  expires: instant,
});
export const SessionPage = page(Session);
export const SessionEnded = z.object({ id: z.string(), deleted: z.literal(true) });

/** The only response that contains the secret. */
export const TotpSecret = z.object({
  secret: z.string(),
  /** The URI for an authenticator app, to be shown as a QR code. */
  uri: z.string(),
});
export const TotpConfirmation = z.strictObject({ code: Code });
/** The body of a lock or an unlock of an account, which earlier clients leave out. */
export const AccountLock = z
  .strictObject({
    reason: Reason.optional().describe('Why it is done. Only operators see it.'),
  })
  .nullish();

/** The only response with the codes. Each works once in place of an authenticator's code. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const Person = Me.omit({
  organizations: true,
  muted_emails: true,
  incident_emails: true,
  operator_role: true,
}).extend({
  locked_at: instant
    .nullable()
    .optional()
    .describe(
      'When an operator locked the account, so that nobody can sign in to it. Null while it is not locked. Absent when a router of an earlier version answers.',
    ),
});
export type Person = z.infer<typeof Person>;

/** A person in the list of operators. */
export const PersonEntry = Person.extend({
  organizations: z
    .array(z.object({ id: z.string(), name: z.string(), role: Role }))
    .describe('The first organizations that the person belongs to, by name.'),
  organization_count: count.describe('How many organizations the person belongs to.'),
  last_sign_in: instant.nullable().describe('Null when it is not known.'),
});
export type PersonEntry = z.infer<typeof PersonEntry>;
export const PersonPage = page(PersonEntry);

export const PERSON_STATUSES = ['active', 'unconfirmed', 'locked'] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];
export const PEOPLE_SORTS = ['created', 'last_sign_in'] as const;
export type PeopleSort = (typeof PEOPLE_SORTS)[number];
export const PEOPLE_ORDERS = ['desc', 'asc'] as const;
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];

/** The id of the last person of a page, and before it the last sign-in if the list is sorted by it. */
const PersonPlace = z
  .string()
  .regex(/^(\d{1,15}_)?per_[0-9a-z]{26}$/, FOREIGN_CURSOR)
  .transform((text) => {
    const at = text.indexOf('per_');
    const lastSignIn = at === 0 ? null : BigInt(text.slice(0, at - 1));
    return { lastSignIn, id: text.slice(at) as PersonId };
  });

export const PeopleQuery = pageQuery(sortedCursor(PersonPlace))
  .extend({
    search: Search.default('').describe("The person's id, or a part of the name or the address."),
    status: z
      .enum(PERSON_STATUSES)
      .optional()
      .describe(
        '`unconfirmed`: the address is not confirmed yet. `locked`: an operator has locked the account, whether or not its address is confirmed.',
      ),
    operator: z
      .enum(['yes', 'no'])
      .optional()
      .describe('Whether they are operators of the platform.'),
    second_factor: z.enum(['on', 'off']).optional().describe('Whether signing in requires a code.'),
    sort: z
      .enum(PEOPLE_SORTS)
      .default('created')
      .describe('A cursor belongs to one sort and order.'),
    order: z
      .enum(PEOPLE_ORDERS)
      .default('desc')
      .describe('`desc`: the newest or the latest first.'),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .superRefine(refuseOtherSort);
export type PeopleQuery = z.output<typeof PeopleQuery>;

/** One person, as operators see them. */
export const PersonDetail = Person.extend({
  email_confirmed_at: instant.nullable().describe('Null while the address is not confirmed.'),
  organizations: z.array(
    z.object({ id: z.string(), name: z.string(), role: Role, joined: instant }),
  ),
  last_sign_in: instant.nullable().describe('Null when it is not known.'),
  sessions: z
    .array(Session.omit({ current: true }))
    .describe('The open sessions, the last used first.'),
  recovery_codes_left: count.describe('How many recovery codes can still be used.'),
  passkeys: count
    .optional()
    .describe('How many passkeys sign in. Absent when a router of an earlier version answers.'),
});
export type PersonDetail = z.infer<typeof PersonDetail>;

export const LinkPurposeName = z.enum(['reset-password', 'confirm-email']);
export const NewPersonLink = z.strictObject({ email: Email, purpose: LinkPurposeName });
export const PersonLink = z.object({
  person: z.string(),
  purpose: LinkPurposeName,
  /** For this person only. No other response contains it. */
  url: z.string(),
  expires: instant,
});

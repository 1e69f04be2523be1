/** The contents of the sandbox's checkout pages: plain forms, without a script. */
import { usdOf } from '../../../shared/documents/words.ts';
import { html, type Markup } from '../html.ts';
import { CARDS } from './cards.ts';
import type { ShownCheckout, Submitted } from './procedures.ts';

/** What the form has at first. */
const GOOD_CARD = '4242 4242 4242 4242';

/** `form` is the token against cross-site request forgery. */
type Form = Readonly<{ token: string; form: string }>;
type Body = Readonly<{ title: string; body: Markup }>;

const SANDBOX = html`<p class="notice"><strong>This is a test. No money moves.</strong>
This service uses a sandbox in place of a payment provider. It accepts only test cards.</p>
`;

/** The page on which a card is entered. `typed` is the number that was refused, as it was typed. */
export function cardPage(
  { token, form }: Form,
  checkout: ShownCheckout,
  { submitted, typed }: Readonly<{ submitted: Submitted | null; typed: string | null }>,
): Body {
  const { amount } = checkout;
  const title = amount === null ? 'Save a card' : `Add ${usdOf(amount)} of credit`;
  const rows = Object.entries(CARDS).map(
    ([number, { does }]) =>
      html`<tr><td>${number.replace(/(.{4})(?=.)/g, '$1 ')}</td><td>${sentence(does)}</td></tr>`,
  );
  const body = html`${SANDBOX}<h1>${title}</h1>
<p class="lead">${amount === null ? 'For auto-recharge' : 'Prepaid credit for API requests'}</p>
<div class="panel">
${summary(checkout)}
<form method="post" action="/checkout/sandbox/${token}">
${faultOf(checkout, submitted)}<input type="hidden" name="form" value="${form}">
<div><label for="card">Card number</label>
<input id="card" name="card" inputmode="numeric" autocomplete="off" required value="${typed ?? GOOD_CARD}"></div>
<div class="buttons"><button class="button primary" type="submit">${payLabel(checkout)}</button>
<a class="button" href="${checkout.cancel_url}">Cancel and return to billing</a></div>
</form>
</div>
<p class="after">${nextOf(checkout)}</p>
<details class="panel"><summary>Test cards</summary>
<table><thead><tr><th scope="col">Number</th><th scope="col">Result</th></tr></thead><tbody>${rows}</tbody></table></details>`;
  return { title, body };
}

/** The page on which the bank of the card asks for a confirmation. */
export function confirmPage({ token, form }: Form, checkout: ShownCheckout): Body {
  const title = checkout.amount === null ? 'Confirm the card' : 'Confirm the payment';
  const body = html`${SANDBOX}<h1>${title}</h1>
<p class="lead">The bank of the card asks you to confirm that it is you.</p>
<div class="panel">
${summary(checkout)}
<form method="post" action="/checkout/sandbox/${token}/confirm">
<input type="hidden" name="form" value="${form}">
<div class="buttons"><button class="button primary" type="submit" name="answer" value="confirm">Confirm</button>
<button class="button" type="submit" name="answer" value="fail">Decline</button>
<a class="button" href="${checkout.cancel_url}">Cancel and return to billing</a></div>
</form>
</div>
<p class="after">${nextOf(checkout)}</p>`;
  return { title, body };
}

/** The page of a checkout that was completed or has expired. */
export function overPage(checkout: ShownCheckout): Body {
  const { state, success_url: done, cancel_url: back } = checkout;
  const isPaid = state === 'paid';
  const title = isPaid ? 'This checkout is complete' : 'This checkout has expired';
  const said = isPaid ? paidWords(checkout) : expiredWords(checkout);
  const body = html`${SANDBOX}<h1>${title}</h1>
<p class="lead">${said}</p>
<div class="panel"><div class="buttons"><a class="button primary" href="${isPaid ? done : back}">Go to billing</a></div></div>`;
  return { title, body };
}

function paidWords({ organization, amount }: ShownCheckout): string {
  return amount === null
    ? 'The card is saved. You can close this page.'
    : `${usdOf(amount)} of credit is added to ${organization}. The receipt is on the billing page.`;
}

function expiredWords({ amount }: ShownCheckout): string {
  return amount === null
    ? 'No card was saved. You can save one on the billing page.'
    : 'Nothing was charged. Start a new top-up on the billing page.';
}

function summary({ organization, amount, keep_method: keeps }: ShownCheckout): Markup {
  if (amount === null) {
    return html`<dl><dt>Organization</dt><dd><bdi>${organization}</bdi></dd>
<dt class="total">Due today</dt><dd class="total">$0.00</dd></dl>`;
  }
  return html`<dl><dt>Organization</dt><dd><bdi>${organization}</bdi></dd>
<dt>Credit</dt><dd>${usdOf(amount)}</dd>
${keeps === 1n ? html`<dt>Card</dt><dd>Saved for auto-recharge</dd>` : null}<dt class="total">Total</dt><dd class="total">${usdOf(amount)}</dd></dl>`;
}

function payLabel({ amount }: ShownCheckout): string {
  return amount === null ? 'Save card' : `Pay ${usdOf(amount)}`;
}

function nextOf({ amount }: ShownCheckout): string {
  return amount === null
    ? 'You then return to the billing page. The card is charged only while auto-recharge is on.'
    : 'Credit is available immediately. Your receipt will be under Billing.';
}

function faultOf({ amount, declined }: ShownCheckout, submitted: Submitted | null): Markup | null {
  const fault =
    submitted === 'unknown_card'
      ? ['The sandbox has no card of this number', 'Enter one of the test cards below.']
      : declined === 'authentication_failed'
        ? [
            `The ${amount === null ? 'card' : 'payment'} was not confirmed`,
            'Try again, or use another card.',
          ]
        : declined === null
          ? null
          : ['Your card was declined', 'Try another card.'];
  if (fault === null) return null;
  const [title = '', cure = ''] = fault;
  return html`<p class="notice bad" role="alert"><strong>${title}.</strong> ${cure}</p>
`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How a server verifies a request, with the libraries of Standard Webhooks. */
const NODE = `import { Webhook } from 'standardwebhooks';

// rawBody: the body as it came, before it is parsed.
// Throws when the signature is wrong or the request is old.
const event = new Webhook(process.env.WEBHOOK_SECRET)
  .verify(rawBody, request.headers);`;

const PYTHON = `from standardwebhooks import Webhook

# raw_body: the body as it came, before it is parsed.
# Raises when the signature is wrong or the request is old.
event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(
    raw_body, dict(request.headers))`;

export const VERIFY: Readonly<Record<string, string>> = { 'Node.js': NODE, Python: PYTHON };

/** Why to use the service: what it guarantees, each with the page of the docs that explains it. */
import { Link } from '@tanstack/react-router';
import { CircleCheck, type LucideIcon, Plug, Timer, Wallet } from 'lucide-react';

type Fact = Readonly<{
  icon: LucideIcon;
  title: string;
  text: string;
  link: string;
  page: string;
  hash?: string;
}>;

const FACTS: readonly Fact[] = [
  {
    icon: Wallet,
    title: 'No overdraft',
    text: 'Credit is prepaid. An answer runs only as far as your credit reaches, so no request overdraws your balance.',
    link: 'When credit runs out',
    page: 'limits',
  },
  {
    icon: CircleCheck,
    title: 'Charged once',
    text: 'Each complete answer is charged once. Error answers and streams that the service cuts are free.',
    link: 'Retries and idempotency',
    page: 'idempotency',
  },
  {
    icon: Timer,
    title: 'Every request explained',
    text: 'The dashboard has the exact cost of each request, and a timeline of where its time went.',
    link: 'Look a request up',
    page: 'errors',
    hash: 'look-a-request-up',
  },
  {
    icon: Plug,
    title: 'Your client works',
    text: 'Use the libraries of OpenAI or Anthropic. Only the base URL and the API key change.',
    link: 'Client libraries',
    page: 'clients',
  },
];

export function LandingFacts() {
  return (
    <section aria-labelledby="facts" className="grid gap-5">
      <h2 id="facts" className="text-lg font-semibold tracking-tight">
        What you can rely on
      </h2>
      <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {FACTS.map(({ icon: Icon, title, text, link, page, hash }) => (
          <li key={title} className="grid content-start justify-items-start gap-1.5 text-sm">
            <span
              aria-hidden
              className="mb-1.5 grid size-8 place-items-center rounded-lg bg-accent-soft text-accent"
            >
              <Icon className="size-4" />
            </span>
            <h3 className="font-semibold">{title}</h3>
            <p className="text-muted">{text}</p>
            <Link
              to="/docs/$page"
              params={{ page }}
              {...(hash === undefined ? {} : { hash })}
              className="font-medium text-accent hover:underline"
            >
              {link}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

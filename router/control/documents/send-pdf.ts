import type { FastifyReply } from 'fastify';

/** Sends a PDF, which browsers show by themselves and save under its number. */
export function sendPdf(reply: FastifyReply, number: string, pdf: Uint8Array): FastifyReply {
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="${number}.pdf"`)
    .send(pdf);
}

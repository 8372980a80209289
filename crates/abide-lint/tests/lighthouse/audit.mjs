// Runs the audit "robots.txt is valid" of two versions of Lighthouse.
//
// Each line of the input is a robots.txt in base64. Each line of the output is an array of its errors,
// as [peer, line, message].

import { createInterface } from "node:readline";
import newer from "lighthouse-13/core/audits/seo/robots-txt.js";
import older from "lighthouse-12/core/audits/seo/robots-txt.js";

const audits = [
  ["lighthouse@12", older],
  ["lighthouse@13", newer],
];

for await (const line of createInterface({ input: process.stdin })) {
  // Lighthouse reads what the browser answers the same way.
  const content = Buffer.from(line, "base64").toString("utf8");
  const errors = audits.flatMap(([peer, audit]) => {
    const { details } = audit.audit({ RobotsTxt: { status: 200, content } });
    return (details?.items ?? []).map((item) => [peer, Number(item.index), item.message]);
  });
  process.stdout.write(`${JSON.stringify(errors)}\n`);
}

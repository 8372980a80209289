// Asks with a client whose types were made from /openapi.json. A misspelt path, parameter or member
// does not compile.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [service = "", url = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: service });

const byGet = await client.GET("/v1/decide", { params: { query: { url, agent: ["ExampleBot-News", "ExampleBot"], profile: "careful", slim: true } } });
console.log(byGet.data?.usages.crawl.outcome);

const request: components["schemas"]["Request"] = { url, agent: "ExampleBot" };
const byPost = await client.POST("/v1/decide", { body: request });
console.log(byPost.data?.usages.crawl.outcome);

type Usages = components["schemas"]["Decision"]["usages"];
// @ts-expect-error This usage is misspelt.
type Misspelt = Usages["indexx"];
// @ts-expect-error So is this reason.
const reason: components["schemas"]["Reason"] = "most-octets";

// The answers of the tools have types too.
type Matrix = components["schemas"]["Matrix"];
type Finding = components["schemas"]["Finding"];

const robots = "User-agent: GPTBot\nDisallow: /\nDissalow: /x\n";
const byMatrix = await client.POST("/v1/matrix", { body: { robots, agents: ["GPTBot", "Googlebot"] } });
const matrix: Matrix | undefined = byMatrix.data;
for (const kind of matrix?.kinds ?? []) {
  for (const robot of kind.robots) console.log(robot.name, robot.access, robot.decided_by?.line ?? "-");
}
const byLint = await client.POST("/v1/lint", { body: { robots, select: ["misspelt-*"] } });
const findings: Finding[] = byLint.data?.findings ?? [];
console.log(findings.map(finding => `${finding.line} ${finding.code}`).join(", "));

const wrong = await client.POST("/v1/decide", { body: { url: "/x", agent: "ExampleBot", robots: "" } });
console.log(wrong.error?.code, wrong.error?.member);

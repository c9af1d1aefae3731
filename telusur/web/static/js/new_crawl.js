// What is wrong in the form is told while somebody types, and the command that does the same.
const WAIT_MS = 300;
const form = document.querySelector("form[data-check]");
const command = document.querySelector("[data-command]");
const touched = new Set();
let timer = 0;
let asked = 0;

const show = (answer) => {
  command.textContent = answer.command;
  const name = form.elements.name;
  if (name) name.placeholder = answer.name || "named after the first URL";
  for (const place of form.querySelectorAll("[data-problem]")) {
    const field = place.dataset.problem;
    const isShown = touched.has(field) || field === "";
    const problem = isShown ? answer.problems[field] || "" : "";
    if (place.textContent !== problem) place.textContent = problem;
    const input = field && form.querySelector(`.input[name="${field}"]`);
    if (input) input.toggleAttribute("aria-invalid", Boolean(problem));
    if (input && problem) input.setAttribute("aria-invalid", "true");
  }
};

const check = async () => {
  const number = (asked += 1);
  const response = await fetch(form.dataset.check, {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
  });
  const answer = await response.json();
  if (answer.ok && number === asked) show(answer); // an answer that comes late must not win
};

form.addEventListener("input", (event) => {
  touched.add(event.target.name);
  clearTimeout(timer);
  timer = setTimeout(() => check().catch(() => {}), WAIT_MS);
});

// Shows the errors in the form as you type, and the equivalent command.
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
  const warning = form.querySelector("[data-warning]");
  if (warning.textContent !== answer.warning) {
    // The setting that the warning names must be in sight.
    if (!warning.textContent) form.querySelector(".more-settings").open = true;
    warning.textContent = answer.warning;
  }
  form.elements.warned.value = answer.warning ? "1" : "";
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
  if (answer.ok && number === asked) show(answer); // a late response must not replace a newer one
};

const checkSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => check().catch(() => {}), WAIT_MS);
};

form.addEventListener("input", (event) => {
  touched.add(event.target.name);
  checkSoon();
});

// The form is usable before this script has loaded: what was typed by then is checked now.
for (const field of form.querySelectorAll("input, textarea")) {
  if (field.value === field.defaultValue && field.checked === field.defaultChecked) continue;
  touched.add(field.name);
  checkSoon();
}

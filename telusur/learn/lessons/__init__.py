"""What a model learns from: labelled pages, variants of them, and pages that witnesses label."""
